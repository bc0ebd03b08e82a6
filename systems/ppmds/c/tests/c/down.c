/* A cluster that goes down and comes back: its arguments are the cluster file and the keys. It
 * prints when it waits, and continues with each character that it gets. */
#include "tenbin_meta.h"

#include "check.h"

#include <errno.h>

static void wait_after(const char *what) {
    puts(what);
    fflush(stdout);
    CHECK(getchar() != EOF);
}

int main(int argc, char **argv) {
    tenbin_meta hurried, patient, none;
    char back[8];
    size_t bytes = 0;
    int at;
    CHECK(argc == 3);
    EXPECT(EINVAL, tenbin_meta_open(argv[1], NULL, 0, &none));
    WORDS(tenbin_meta_error(), "requires a client certificate");
    EXPECT(0, tenbin_meta_open(argv[1], argv[2], 300, &hurried));
    EXPECT(0, tenbin_meta_open(argv[1], argv[2], 0, &patient));
    EXPECT(0, tenbin_meta_create(patient, "/a", 0644, 0, 0));
    EXPECT(0, tenbin_meta_write(patient, "/a", "content", 7));
    wait_after("written");
    for (at = 0; at < 3; at++)
        EXPECT(ETIMEDOUT, tenbin_meta_stat(hurried, "/a", NULL));
    WORDS(tenbin_meta_error(), "no answer in time: ");
    EXPECT(ETIMEDOUT, tenbin_meta_open(argv[1], argv[2], 300, &none));
    WORDS(tenbin_meta_error(), "no server of the cluster answers");
    wait_after("down");
    EXPECT(0, tenbin_meta_read(patient, "/a", back, sizeof back, &bytes));
    CHECK(bytes == 7 && memcmp(back, "content", 7) == 0);
    EXPECT(0, tenbin_meta_close(hurried));
    EXPECT(0, tenbin_meta_close(patient));
    puts("back");
    return 0;
}
