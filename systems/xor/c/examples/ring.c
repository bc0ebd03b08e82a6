/*
 * The transport alone: one end registers a ring, the other writes a block into it, with 32 bits
 * beside. Both ends are in this program, so that it needs nothing else; a real system has them on
 * two machines.
 */
#include "tenbin_relay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4
#define SLOT_BYTES 65536
#define LENGTH 50000
#define SLOT 2
#define IMM 0xabcdu
#define TOKEN 7

/* Ends the program with the words to a code. */
static void check(const tenbin_transport *end, int code) {
    if (code != TENBIN_OK) {
        fprintf(stderr, "%s: %s\n", tenbin_relay_words(code), tenbin_transport_error(end));
        exit(code);
    }
}

/* One end, and an event of it that came while the other one was waited for. */
struct side {
    tenbin_transport *end;
    tenbin_event kept;
};

/* The next event of one side. A side with an event that is kept is not polled: what the event
 * points to is valid until then. */
static void poll(struct side *side, uint32_t wait_ms) {
    if (side->kept.kind == TENBIN_NOTHING)
        check(side->end, tenbin_transport_poll(side->end, wait_ms, &side->kept));
    if (side->kept.kind == TENBIN_DOWN) {
        fprintf(stderr, "link %u: %s\n", (unsigned)side->kept.link,
                (const char *)side->kept.data);
        exit(TENBIN_FAILED);
    }
}

/* Waits for an event of a side, and serves the other one meanwhile: neither has a thread. */
static tenbin_event await(struct side *side, struct side *other, int kind) {
    tenbin_event event;
    int tries;
    for (tries = 0; tries < 2000 && side->kept.kind == TENBIN_NOTHING; tries++) {
        poll(side, 5);
        poll(other, 0);
    }
    event = side->kept;
    side->kept.kind = TENBIN_NOTHING;
    if (event.kind != kind) {
        fprintf(stderr, "an event of kind %d in place of %d\n", (int)event.kind, kind);
        exit(TENBIN_FAILED);
    }
    return event;
}

/* The sender learns from a message which ring it may write into. */
static uint32_t ring_told(const tenbin_event *message) {
    uint32_t ring = 0;
    if (message->length == sizeof ring)
        memcpy(&ring, message->data, sizeof ring);
    return ring;
}

static void fill(uint8_t *memory) {
    size_t at;
    for (at = 0; at < LENGTH; at++)
        memory[at] = (uint8_t)(at * 31 + at / 256);
}

/* Writes LENGTH bytes from a ring of the sender's into the owner's. */
static uint8_t *send_block(struct side *sender, struct side *owner, uint32_t link, uint32_t to) {
    tenbin_write write;
    uint8_t *source;
    check(sender->end, tenbin_transport_register(sender->end, 1, SLOT_BYTES, &write.from_ring));
    write.from_slot = 0;
    write.to_ring = to;
    write.to_slot = SLOT;
    write.length = LENGTH;
    write.imm = IMM;
    write.token = TOKEN;
    check(sender->end, tenbin_transport_slot(sender->end, write.from_ring, 0, &source));
    fill(source);
    check(sender->end, tenbin_transport_write(sender->end, link, &write));
    if (await(sender, owner, TENBIN_SENT).token != TOKEN)
        exit(TENBIN_FAILED);
    return source;
}

int main(void) {
    struct side owner = {0}, sender = {0};
    const char *address;
    uint32_t own, link, back;
    uint8_t *source, *target;
    tenbin_event event;

    check(NULL, tenbin_transport_open("127.0.0.1:0", NULL, &owner.end));
    check(NULL, tenbin_transport_open(NULL, NULL, &sender.end));
    check(owner.end, tenbin_transport_address(owner.end, &address));
    check(sender.end, tenbin_transport_connect(sender.end, address, 0, &link));
    back = await(&owner, &sender, TENBIN_OPENED).link;
    await(&sender, &owner, TENBIN_UP);

    /* The owner lets the sender write into its ring, and says which one it is. */
    check(owner.end, tenbin_transport_register(owner.end, SLOTS, SLOT_BYTES, &own));
    check(owner.end, tenbin_transport_allow(owner.end, back, own, SLOTS));
    check(owner.end, tenbin_transport_send(owner.end, back, &own, sizeof own));
    event = await(&sender, &owner, TENBIN_MESSAGE);
    source = send_block(&sender, &owner, link, ring_told(&event));

    /* The owner finds the block in its own memory. */
    event = await(&owner, &sender, TENBIN_ARRIVED);
    check(owner.end, tenbin_transport_slot(owner.end, own, SLOT, &target));
    if (event.imm != IMM || event.slot != SLOT || event.length != LENGTH ||
        memcmp(source, target, LENGTH) != 0) {
        fprintf(stderr, "the block is not what was written\n");
        return TENBIN_FAILED;
    }
    printf("%u bytes in slot %u, imm %#x: the same\n", (unsigned)event.length,
           (unsigned)event.slot, (unsigned)event.imm);
    tenbin_transport_close(sender.end);
    tenbin_transport_close(owner.end);
    return 0;
}
