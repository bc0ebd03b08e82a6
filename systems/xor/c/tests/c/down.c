/* A cluster that goes down and comes back: its arguments are the addresses. It says when it waits,
 * and goes on with each character that it gets. */
#include "tenbin_relay.h"

#include "check.h"

#define LENGTH 100000

static unsigned char content[LENGTH], back[LENGTH];

static void wait_until_told(const char *what) {
    puts(what);
    fflush(stdout);
    CHECK(getchar() != EOF);
}

static void is_down(tenbin_relay *relay) {
    uint64_t bytes;
    size_t missing;
    const char *why;
    EXPECT(TENBIN_FAILED, tenbin_relay_get(relay, "a", back, LENGTH, &bytes));
    WORDS(tenbin_relay_error(relay), "0 of 3 nodes answer, 2 are needed");
    EXPECT(TENBIN_FAILED, tenbin_relay_put(relay, "a", "b", 1));
    WORDS(tenbin_relay_error(relay), "a write needs all nodes");
    EXPECT(TENBIN_FAILED, tenbin_relay_remove(relay, "a"));
    EXPECT(TENBIN_OK, tenbin_relay_missing(relay, &missing, &why));
    CHECK(missing == 3);
    EXPECT(TENBIN_FAILED, tenbin_relay_reconnect(relay));
}

int main(int argc, char **argv) {
    tenbin_relay *relay = NULL;
    uint64_t bytes = 0;
    size_t missing = 9, at;
    CHECK(argc == 4);
    for (at = 0; at < LENGTH; at++)
        content[at] = (unsigned char)(at % 253);
    EXPECT(TENBIN_OK, tenbin_relay_open((const char *const *)(argv + 1), 3, NULL, &relay));
    EXPECT(TENBIN_OK, tenbin_relay_put(relay, "a", content, LENGTH));
    wait_until_told("written");
    is_down(relay);
    wait_until_told("down");
    /* Nodes that were lost stay so until then. */
    EXPECT(TENBIN_FAILED, tenbin_relay_stat(relay, "a", NULL));
    EXPECT(TENBIN_OK, tenbin_relay_reconnect(relay));
    EXPECT(TENBIN_OK, tenbin_relay_missing(relay, &missing, NULL));
    CHECK(missing == 0);
    EXPECT(TENBIN_OK, tenbin_relay_get(relay, "a", back, LENGTH, &bytes));
    CHECK(bytes == LENGTH && memcmp(content, back, LENGTH) == 0);
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
    puts("back");
    return 0;
}
