/* The client, used rightly and wrongly: its arguments are the addresses of a cluster. */
#include "tenbin_relay.h"

#include "check.h"

/* Several times what is on its way at once, so that somebody who watches is asked. */
#define LARGE 12000000

static const char *const NOWHERE[] = {"127.0.0.1:1", "127.0.0.1:1", "127.0.0.1:1"};

static int fails_at(void *context, uint64_t offset, void *buffer, size_t bytes) {
    memset(buffer, 1, bytes);
    return offset >= *(uint64_t *)context ? 5 : 0;
}

static int stops(void *context, uint64_t done, uint64_t total) {
    ++*(int *)context;
    CHECK(done <= total);
    return 1;
}

/* A callback that comes back to its own handle. */
static int comes_back(void *context, const void *data, size_t bytes) {
    tenbin_relay *relay = context;
    CHECK(data != NULL && bytes > 0);
    EXPECT(TENBIN_BUSY, tenbin_relay_remove(relay, "large"));
    EXPECT(TENBIN_BUSY, tenbin_relay_close(relay));
    return 0;
}

static int refuses(void *context, const void *data, size_t bytes) {
    (void)context, (void)data, (void)bytes;
    return -3;
}

static int counts(void *context, const char *name, const tenbin_object *object) {
    CHECK(name[0] != 0 && object != NULL && object->lacking == 0);
    ++*(int *)context;
    return 0;
}

static int takes_one(void *context, const char *name, const tenbin_object *object) {
    (void)object;
    ++*(int *)context;
    return name[0] != 0;
}

static void not_opened(void) {
    tenbin_relay *relay = NULL;
    const char *const hole[] = {"127.0.0.1:1", NULL, "127.0.0.1:1"};
    const char *why;
    size_t missing = 0;
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_open(NOWHERE, 3, NULL, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_open(NULL, 3, NULL, &relay));
    WORDS(tenbin_relay_error(relay), "the list of addresses is NULL");
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_open(hole, 3, NULL, &relay));
    WORDS(tenbin_relay_error(relay), "an address is NULL");
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_open(NOWHERE, 0, NULL, &relay));
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_open(NOWHERE, (size_t)-1, NULL, &relay));
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_open(NOWHERE, 3, "/nowhere", &relay));
    WORDS(tenbin_relay_error(relay), "/nowhere/authority.pem");
    EXPECT(TENBIN_FAILED, tenbin_relay_stat(relay, "a", NULL));
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
    /* The cluster is down. */
    EXPECT(TENBIN_FAILED, tenbin_relay_open(NOWHERE, 3, NULL, &relay));
    WORDS(tenbin_relay_error(relay), "0 of 3 nodes answer");
    EXPECT(TENBIN_FAILED, tenbin_relay_put(relay, "a", "b", 1));
    EXPECT(TENBIN_FAILED, tenbin_relay_stat(relay, "a", NULL));
    EXPECT(TENBIN_OK, tenbin_relay_missing(relay, &missing, &why));
    CHECK(missing == 3);
    WORDS(why, "no process listens there");
    EXPECT(TENBIN_FAILED, tenbin_relay_reconnect(relay));
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
}

static void null_handle(void) {
    tenbin_object object;
    uint64_t bytes;
    size_t missing;
    int count = 0;
    EXPECT(TENBIN_OK, tenbin_relay_close(NULL));
    WORDS(tenbin_relay_error(NULL), "NULL");
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_reconnect(NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_missing(NULL, &missing, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_set_block(NULL, 64));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_set_schedule(NULL, TENBIN_AUTO));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_set_watch(NULL, NULL, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(NULL, "a", "b", 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put_from(NULL, "a", 0, fails_at, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_get(NULL, "a", NULL, 0, &bytes));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_get_to(NULL, "a", refuses, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_stat(NULL, "a", &object));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_list(NULL, counts, &count));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_remove(NULL, "a"));
}

static void bad_arguments(tenbin_relay *relay) {
    uint64_t bytes;
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(relay, NULL, "b", 1));
    WORDS(tenbin_relay_error(relay), "the name is NULL");
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(relay, "a", NULL, 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(relay, "a", "b", (size_t)-1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(relay, "", "b", 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(relay, "a\n", "b", 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(relay, "\xff", "b", 1));
    WORDS(tenbin_relay_error(relay), "not UTF-8");
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put_from(relay, "a", 1, NULL, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put_from(relay, "a", UINT64_MAX, fails_at, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_get(relay, "a", NULL, 1, &bytes));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_get(relay, "a", NULL, 0, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_get_to(relay, "a", NULL, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_list(relay, NULL, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_missing(relay, NULL, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_set_schedule(relay, 9));
    EXPECT(TENBIN_OK, tenbin_relay_set_block(relay, 100));
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_put(relay, "a", "b", 1));
    WORDS(tenbin_relay_error(relay), "block size 100");
    EXPECT(TENBIN_OK, tenbin_relay_set_block(relay, 4096));
    CHECK(tenbin_relay_error(relay)[0] == 0);
}

static void no_such_object(tenbin_relay *relay) {
    tenbin_object object;
    uint64_t bytes;
    EXPECT(TENBIN_NOT_FOUND, tenbin_relay_get(relay, "none", NULL, 0, &bytes));
    WORDS(tenbin_relay_error(relay), "no object has the name \"none\"");
    EXPECT(TENBIN_NOT_FOUND, tenbin_relay_get_to(relay, "none", refuses, NULL));
    EXPECT(TENBIN_NOT_FOUND, tenbin_relay_stat(relay, "none", &object));
    EXPECT(TENBIN_NOT_FOUND, tenbin_relay_remove(relay, "none"));
}

static void objects(tenbin_relay *relay, const unsigned char *large) {
    static unsigned char back[LARGE];
    tenbin_object object;
    uint64_t bytes = 0;
    EXPECT(TENBIN_OK, tenbin_relay_set_schedule(relay, TENBIN_CHAIN));
    EXPECT(TENBIN_OK, tenbin_relay_put(relay, "large", large, LARGE));
    EXPECT(TENBIN_OK, tenbin_relay_put(relay, "empty", NULL, 0));
    EXPECT(TENBIN_OK, tenbin_relay_stat(relay, "large", &object));
    CHECK(object.length == LARGE && object.generation == 1 && object.block_bytes == 4096);
    EXPECT(TENBIN_BAD_INPUT, tenbin_relay_get(relay, "large", back, LARGE - 1, &bytes));
    CHECK(bytes == LARGE);
    WORDS(tenbin_relay_error(relay), "has 12000000 bytes, the buffer has 11999999");
    bytes = 0;
    EXPECT(TENBIN_OK, tenbin_relay_get(relay, "large", back, LARGE, &bytes));
    CHECK(bytes == LARGE && memcmp(large, back, LARGE) == 0);
    EXPECT(TENBIN_OK, tenbin_relay_get(relay, "empty", NULL, 0, &bytes));
    CHECK(bytes == 0);
}

static void callbacks(tenbin_relay *relay, const unsigned char *large) {
    uint64_t limit = LARGE / 2;
    tenbin_object object;
    int calls = 0;
    EXPECT(TENBIN_FAILED, tenbin_relay_put_from(relay, "large", LARGE, fails_at, &limit));
    WORDS(tenbin_relay_error(relay), "the callback returned 5");
    EXPECT(TENBIN_FAILED, tenbin_relay_get_to(relay, "large", refuses, NULL));
    WORDS(tenbin_relay_error(relay), "the callback returned -3");
    EXPECT(TENBIN_OK, tenbin_relay_get_to(relay, "large", comes_back, relay));
    EXPECT(TENBIN_OK, tenbin_relay_set_watch(relay, stops, &calls));
    EXPECT(TENBIN_STOPPED, tenbin_relay_put(relay, "large", large, LARGE));
    EXPECT(TENBIN_STOPPED, tenbin_relay_get_to(relay, "large", comes_back, relay));
    CHECK(calls == 2);
    EXPECT(TENBIN_OK, tenbin_relay_set_watch(relay, NULL, NULL));
    EXPECT(TENBIN_OK, tenbin_relay_stat(relay, "large", &object));
    CHECK(object.generation == 1);
    calls = 0;
    EXPECT(TENBIN_OK, tenbin_relay_list(relay, takes_one, &calls));
    CHECK(calls == 1);
    EXPECT(TENBIN_OK, tenbin_relay_remove(relay, "empty"));
    EXPECT(TENBIN_OK, tenbin_relay_list(relay, counts, &calls));
    CHECK(calls == 2);
    EXPECT(TENBIN_OK, tenbin_relay_remove(relay, "large"));
    EXPECT(TENBIN_NOT_FOUND, tenbin_relay_stat(relay, "large", NULL));
}

int main(int argc, char **argv) {
    static unsigned char large[LARGE];
    tenbin_relay *relay = NULL;
    size_t at;
    for (at = 0; at < LARGE; at++)
        large[at] = (unsigned char)(at * 7 + at / 251);
    not_opened();
    null_handle();
    EXPECT(TENBIN_OK, tenbin_relay_open((const char *const *)(argv + 1), (size_t)(argc - 1), NULL,
                                        &relay));
    bad_arguments(relay);
    no_such_object(relay);
    objects(relay, large);
    callbacks(relay, large);
    EXPECT(TENBIN_OK, tenbin_relay_close(relay));
    CHECK(strcmp(tenbin_relay_words(TENBIN_BUSY), "another call is using this handle") == 0);
    CHECK(tenbin_relay_words(-1)[0] != 0);
    return 0;
}
