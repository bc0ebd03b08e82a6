/* The transport, used wrongly: nothing of it ends the program. */
#include "check.h"

static tenbin_event wait_for(tenbin_transport *end, tenbin_transport *other, int kind) {
    tenbin_event event, aside;
    int tries;
    for (tries = 0; tries < 2000; tries++) {
        EXPECT(TENBIN_OK, tenbin_transport_poll(end, 5, &event));
        if (event.kind == kind)
            return event;
        if (other != NULL)
            EXPECT(TENBIN_OK, tenbin_transport_poll(other, 0, &aside));
    }
    fprintf(stderr, "no event of kind %d\n", kind);
    exit(1);
}

static void not_opened(void) {
    tenbin_transport *end = NULL;
    const char *address;
    uint32_t number;
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_open(NULL, NULL, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_open("nonsense", NULL, &end));
    WORDS(tenbin_transport_error(end), "nonsense");
    EXPECT(TENBIN_FAILED, tenbin_transport_connect(end, "127.0.0.1:1", 0, &number));
    EXPECT(TENBIN_FAILED, tenbin_transport_address(end, &address));
    EXPECT(TENBIN_OK, tenbin_transport_close(end));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_open(NULL, "/nowhere", &end));
    WORDS(tenbin_transport_error(end), "/nowhere");
    EXPECT(TENBIN_OK, tenbin_transport_close(end));
    EXPECT(TENBIN_OK, tenbin_transport_close(NULL));
}

static void null_handle(void) {
    static const tenbin_write write;
    const char *address;
    tenbin_event event;
    tenbin_waker *waker;
    uint8_t *memory;
    uint64_t now;
    uint32_t number;
    size_t bytes;
    int is;
    WORDS(tenbin_transport_error(NULL), "NULL");
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_address(NULL, &address));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_connect(NULL, "127.0.0.1:1", 0, &number));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_disconnect(NULL, 0));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_is_node(NULL, 0, 0, &is));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_register(NULL, 1, 64, &number));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_release(NULL, 0));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_allow(NULL, 0, 0, 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_slot(NULL, 0, 0, &memory));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_registered(NULL, &bytes));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_write(NULL, 0, &write));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_send(NULL, 0, "a", 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_poll(NULL, 0, &event));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_now(NULL, &now));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_waker(NULL, &waker));
    EXPECT(TENBIN_BAD_INPUT, tenbin_waker_wake(NULL, 1));
    tenbin_waker_free(NULL);
}

static void rings(tenbin_transport *end) {
    uint8_t *first, *again;
    uint32_t ring = 99;
    size_t bytes;
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_register(end, 4, 64, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_register(end, 0, 64, &ring));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_register(end, 4, 0, &ring));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_register(end, 1, TENBIN_MOST_SLOT + 1, &ring));
    /* More than any machine has. */
    EXPECT(TENBIN_FAILED, tenbin_transport_register(end, 0xffffffff, TENBIN_MOST_SLOT, &ring));
    CHECK(ring == 99);
    EXPECT(TENBIN_OK, tenbin_transport_register(end, 4, 64, &ring));
    EXPECT(TENBIN_OK, tenbin_transport_registered(end, &bytes));
    CHECK(bytes == 4 * 64);
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_slot(end, ring, 4, &first));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_slot(end, ring + 1, 0, &first));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_slot(end, ring, 0, NULL));
    EXPECT(TENBIN_OK, tenbin_transport_slot(end, ring, 3, &first));
    memset(first, 7, 64);
    EXPECT(TENBIN_OK, tenbin_transport_slot(end, ring, 3, &again));
    CHECK(first == again && again[63] == 7);
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_allow(end, 1234, ring, 4));
    WORDS(tenbin_transport_error(end), "no link 1234");
    EXPECT(TENBIN_OK, tenbin_transport_release(end, ring));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_release(end, ring));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_slot(end, ring, 0, &first));
}

static void writes(tenbin_transport *end, uint32_t link) {
    static char message[TENBIN_MOST_MESSAGE + 1];
    tenbin_write write = {0};
    uint32_t ring;
    EXPECT(TENBIN_OK, tenbin_transport_register(end, 2, 64, &ring));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_allow(end, link, ring, 3));
    write.from_ring = ring;
    write.length = 64;
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_write(end, link, NULL));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_write(end, link + 1, &write));
    write.length = 65;
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_write(end, link, &write));
    write.length = 0;
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_write(end, link, &write));
    write.length = 64;
    write.from_slot = 2;
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_write(end, link, &write));
    write.from_ring = ring + 1;
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_write(end, link, &write));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_send(end, link, message, 0));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_send(end, link, message, sizeof message));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_send(end, link, NULL, 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_send(end, link + 1, message, 1));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_poll(end, 0, NULL));
    EXPECT(TENBIN_OK, tenbin_transport_release(end, ring));
}

static void wakes(tenbin_transport *end, tenbin_waker *waker) {
    uint64_t before, after;
    EXPECT(TENBIN_OK, tenbin_transport_now(end, &before));
    EXPECT(TENBIN_OK, tenbin_waker_wake(waker, 77));
    CHECK(wait_for(end, NULL, TENBIN_WOKEN).token == 77);
    EXPECT(TENBIN_OK, tenbin_transport_now(end, &after));
    CHECK(before <= after);
}

/* A peer that is gone is an event. The system would send SIGPIPE, which ends programs. */
static void peer_goes(tenbin_transport *end, uint32_t link, tenbin_transport *peer) {
    int count;
    EXPECT(TENBIN_OK, tenbin_transport_close(peer));
    for (count = 0; count < 200; count++)
        EXPECT(TENBIN_OK, tenbin_transport_send(end, link, "hello", 5));
    WORDS((const char *)wait_for(end, NULL, TENBIN_DOWN).data, "closed");
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_send(end, link, "hello", 5));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_disconnect(end, link));
}

int main(void) {
    tenbin_transport *end = NULL, *peer = NULL;
    tenbin_waker *waker = NULL;
    const char *address;
    uint32_t link, nobody;
    int is = 0;
    not_opened();
    null_handle();
    EXPECT(TENBIN_OK, tenbin_transport_open(NULL, NULL, &end));
    EXPECT(TENBIN_OK, tenbin_transport_address(end, &address));
    CHECK(address[0] == 0);
    EXPECT(TENBIN_OK, tenbin_transport_open("127.0.0.1:0", NULL, &peer));
    EXPECT(TENBIN_OK, tenbin_transport_address(peer, &address));
    rings(end);
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_connect(end, NULL, 0, &link));
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_connect(end, address, 0, NULL));
    EXPECT(TENBIN_OK, tenbin_transport_connect(end, "nonsense", 0, &nobody));
    CHECK(wait_for(end, NULL, TENBIN_DOWN).link == nobody);
    EXPECT(TENBIN_OK, tenbin_transport_connect(end, address, 0, &link));
    wait_for(end, peer, TENBIN_UP);
    EXPECT(TENBIN_OK, tenbin_transport_is_node(end, link, 5, &is));
    CHECK(is == 1);
    EXPECT(TENBIN_BAD_INPUT, tenbin_transport_is_node(end, link, 5, NULL));
    EXPECT(TENBIN_OK, tenbin_transport_waker(end, &waker));
    writes(end, link);
    wakes(end, waker);
    peer_goes(end, link, peer);
    EXPECT(TENBIN_OK, tenbin_transport_close(end));
    EXPECT(TENBIN_OK, tenbin_waker_wake(waker, 1));
    tenbin_waker_free(waker);
    return 0;
}
