/* Transports with keys: arguments are the folders of node 0 and of a client. */
#include "check.h"

/* Serves both ends until the first has an event of this kind. */
static tenbin_event wait_for(tenbin_transport *end, tenbin_transport *other, int kind) {
    tenbin_event event, aside;
    int tries;
    for (tries = 0; tries < 2000; tries++) {
        EXPECT(TENBIN_OK, tenbin_transport_poll(end, 5, &event));
        if (event.kind == kind)
            return event;
        EXPECT(TENBIN_OK, tenbin_transport_poll(other, 0, &aside));
    }
    fprintf(stderr, "no event of kind %d\n", kind);
    exit(1);
}

static void is_node(tenbin_transport *end, uint32_t link, size_t node, int expected) {
    int is = -1;
    EXPECT(TENBIN_OK, tenbin_transport_is_node(end, link, node, &is));
    CHECK(is == expected);
}

/* Whoever is meant to be node 1 shows that he is node 0. */
static void another_node(tenbin_transport *client, tenbin_transport *node, const char *address) {
    uint32_t link;
    tenbin_event event;
    EXPECT(TENBIN_OK, tenbin_transport_connect(client, address, 1, &link));
    event = wait_for(client, node, TENBIN_DOWN);
    CHECK(event.link == link);
    WORDS((const char *)event.data, "another party's");
}

static void without_keys(tenbin_transport *node, const char *address) {
    tenbin_transport *stranger = NULL;
    uint32_t link;
    EXPECT(TENBIN_OK, tenbin_transport_open(NULL, NULL, &stranger));
    EXPECT(TENBIN_OK, tenbin_transport_connect(stranger, address, 0, &link));
    WORDS((const char *)wait_for(stranger, node, TENBIN_DOWN).data, "--keys");
    EXPECT(TENBIN_OK, tenbin_transport_close(stranger));
}

int main(int argc, char **argv) {
    tenbin_transport *node = NULL, *client = NULL;
    const char *address;
    tenbin_event event;
    uint32_t link;
    CHECK(argc == 3);
    EXPECT(TENBIN_OK, tenbin_transport_open("127.0.0.1:0", argv[1], &node));
    EXPECT(TENBIN_OK, tenbin_transport_open(NULL, argv[2], &client));
    EXPECT(TENBIN_OK, tenbin_transport_address(node, &address));
    EXPECT(TENBIN_OK, tenbin_transport_connect(client, address, 0, &link));
    wait_for(client, node, TENBIN_UP);
    is_node(client, link, 0, 1);
    is_node(client, link, 1, 0);
    EXPECT(TENBIN_OK, tenbin_transport_send(client, link, "hello", 5));
    event = wait_for(node, client, TENBIN_MESSAGE);
    CHECK(event.length == 5 && memcmp(event.data, "hello", 5) == 0);
    is_node(node, event.link, 0, 0);
    another_node(client, node, address);
    without_keys(node, address);
    EXPECT(TENBIN_OK, tenbin_transport_close(client));
    EXPECT(TENBIN_OK, tenbin_transport_close(node));
    return 0;
}
