/*
 * Puts a file into a cluster, reads it back, and compares.
 *
 *   put_get [-k KEYS] FILE NAME HOST:PORT HOST:PORT HOST:PORT …
 */
#include "tenbin_relay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gives the library the file's next bytes. */
static int feed(void *context, uint64_t offset, void *buffer, size_t bytes) {
    (void)offset; /* They come in order. */
    return fread(buffer, 1, bytes, context) == bytes ? 0 : 1;
}

/* Says how far it is. */
static int watch(void *context, uint64_t done, uint64_t total) {
    (void)context;
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " bytes", done, total);
    return 0;
}

/* The file's length; -1 if it cannot be read. */
static long length_of(FILE *file) {
    long length;
    if (fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0)
        return -1;
    rewind(file);
    return length;
}

/* Whether a file holds these bytes and no others. */
static int is_same(FILE *file, const unsigned char *bytes, size_t length) {
    unsigned char piece[4096];
    size_t at = 0, read;
    rewind(file);
    while ((read = fread(piece, 1, sizeof piece, file)) > 0) {
        if (read > length - at || memcmp(piece, bytes + at, read) != 0)
            return 0;
        at += read;
    }
    return at == length;
}

static int put(tenbin_relay *relay, const char *name, FILE *file) {
    long length = length_of(file);
    if (length < 0)
        return TENBIN_BAD_INPUT;
    return tenbin_relay_put_from(relay, name, (uint64_t)length, feed, file);
}

/* Reads the object and compares it with the file. */
static int get(tenbin_relay *relay, const char *name, FILE *file) {
    tenbin_object object;
    uint64_t length = 0;
    unsigned char *bytes;
    int code = tenbin_relay_stat(relay, name, &object);
    if (code != TENBIN_OK)
        return code;
    /* One byte more: malloc(0) may be NULL. */
    bytes = malloc((size_t)object.length + 1);
    if (bytes == NULL)
        return TENBIN_FAILED;
    code = tenbin_relay_get(relay, name, bytes, (size_t)object.length, &length);
    if (code == TENBIN_OK) {
        int same = is_same(file, bytes, (size_t)length);
        printf("%s: %" PRIu64 " bytes, write %" PRIu64 ", %s\n", name, length, object.generation,
               same ? "the same" : "NOT the same");
        code = same ? TENBIN_OK : TENBIN_FAILED;
    }
    free(bytes);
    return code;
}

static int run(const char *keys, const char *path, const char *name, const char *const *nodes,
               size_t count) {
    tenbin_relay *relay = NULL;
    FILE *file = fopen(path, "rb");
    int code;
    if (file == NULL) {
        perror(path);
        return TENBIN_BAD_INPUT;
    }
    code = tenbin_relay_open(nodes, count, keys, &relay);
    if (code == TENBIN_OK)
        code = tenbin_relay_set_watch(relay, watch, NULL);
    if (code == TENBIN_OK)
        code = put(relay, name, file);
    if (code == TENBIN_OK)
        code = get(relay, name, file);
    if (code != TENBIN_OK)
        fprintf(stderr, "\n%s: %s\n", tenbin_relay_words(code), tenbin_relay_error(relay));
    tenbin_relay_close(relay);
    fclose(file);
    return code;
}

int main(int argc, char **argv) {
    const char *keys = NULL;
    if (strcmp(tenbin_relay_version(), TENBIN_RELAY_VERSION) != 0) {
        fprintf(stderr, "the library is %s\n", tenbin_relay_version());
        return EXIT_FAILURE;
    }
    if (argc > 2 && strcmp(argv[1], "-k") == 0) {
        keys = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc < 4) {
        fprintf(stderr, "put_get [-k KEYS] FILE NAME HOST:PORT ...\n");
        return TENBIN_BAD_INPUT;
    }
    return run(keys, argv[1], argv[2], (const char *const *)(argv + 3), (size_t)(argc - 3));
}
