/*
 * Stores a small file in the metadata service, and prints its size and mode.
 *
 *   store [-k KEYS] CLUSTER FILE PATH
 */
#include "tenbin_meta.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One byte more than the service takes, so that it refuses longer files. */
static unsigned char contents[TENBIN_META_MOST_CONTENTS + 1];

static int store(tenbin_meta meta, const char *path, size_t bytes) {
    tenbin_meta_inode inode;
    int code = tenbin_meta_create(meta, path, 0644, 0, 0);
    if (code == 0 || code == EEXIST)
        code = tenbin_meta_write(meta, path, contents, bytes);
    if (code == 0)
        code = tenbin_meta_stat(meta, path, &inode);
    if (code != 0)
        fprintf(stderr, "%s: %s\n", path, tenbin_meta_error());
    else
        printf("%s: %" PRIu64 " bytes, inode mode %" PRIo32 "\n", path, inode.size, inode.mode);
    return code;
}

int main(int argc, char **argv) {
    const char *keys = NULL;
    tenbin_meta meta;
    FILE *file;
    size_t bytes;
    int code;
    if (argc > 2 && strcmp(argv[1], "-k") == 0) {
        keys = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc != 4) {
        fprintf(stderr, "store [-k KEYS] CLUSTER FILE PATH\n");
        return 2;
    }
    file = fopen(argv[2], "rb");
    if (file == NULL) {
        perror(argv[2]);
        return EXIT_FAILURE;
    }
    bytes = fread(contents, 1, sizeof contents, file);
    fclose(file);
    if (tenbin_meta_open(argv[1], keys, 0, &meta) != 0) {
        fprintf(stderr, "%s\n", tenbin_meta_error());
        return EXIT_FAILURE;
    }
    code = store(meta, argv[3], bytes);
    tenbin_meta_close(meta);
    return code == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
