/*
 * libtenbin_relay: objects on a cluster of relays, and the transport below it.
 *
 *   cc program.c -I FOLDER_OF_THIS_FILE -L FOLDER_OF_THE_LIBRARY -ltenbin_relay
 *
 * The first part, tenbin_relay_…, is a client of a cluster: put, get, stat, list, remove. The
 * second part, tenbin_transport_…, is what the client and the nodes stand on: rings of memory into
 * which a peer writes, messages, and events. With it you can build a system of your own.
 *
 * What holds for all of it:
 *
 * - Sizes are in bytes. Texts are UTF-8 and end with a NUL.
 * - A function that can fail returns a TENBIN_… code, which is 0 if all went well. The words to it
 *   are tenbin_relay_error() or tenbin_transport_error() of the handle.
 * - A handle is used by one thread at a time, and may move from one thread to another. Two handles
 *   do not know of each other. Who comes while a call of the same handle runs, also from one of its
 *   callbacks, gets TENBIN_BUSY, and nothing happens.
 * - NULL where it is not allowed is TENBIN_BAD_INPUT. A handle that was closed must not be used
 *   again; that cannot be detected.
 * - What you hand in stays yours: the library reads it during the call and keeps no pointer to it,
 *   except for the callback and context of tenbin_relay_set_watch(). What you get by a pointer
 *   belongs to the library, and each function says for how long it is valid.
 * - A callback must return: no longjmp and no C++ exception out of it.
 * - The library changes no signal's handling, and its writes raise no SIGPIPE.
 */
#ifndef TENBIN_RELAY_H
#define TENBIN_RELAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: of the library that it belongs to. */
#define TENBIN_RELAY_VERSION "0.2.0"

/* It worked. */
#define TENBIN_OK 0
/* What was asked for cannot be: try something else. */
#define TENBIN_BAD_INPUT 1
/* It could be, and did not work: nodes are down, a disk is full, a callback failed. */
#define TENBIN_FAILED 2
/* The callback of tenbin_relay_set_watch() wanted it to stop. */
#define TENBIN_STOPPED 3
/* No object has this name. */
#define TENBIN_NOT_FOUND 4
/* The handle is at work, for another thread or for the caller of this callback. */
#define TENBIN_BUSY 5
/* An error in the library: please report it. Of this handle nothing but its error, and closing it,
 * works from then on. */
#define TENBIN_BUG 6

/* The library's version, to be held against TENBIN_RELAY_VERSION; valid for ever. As long as it
 * begins with 0, a library works with the header of its own version alone. */
const char *tenbin_relay_version(void);

/* A code's meaning in a few words; valid for ever, also for a number that is no code. */
const char *tenbin_relay_words(int code);

/* ---------------------------------------------------------------- part 1: a client of a cluster */

/* A cluster, as one client sees it. */
typedef struct tenbin_relay tenbin_relay;

/* What is known of an object. */
typedef struct tenbin_object {
    /* Bytes. */
    uint64_t length;
    /* Which write of this name it is, from 1. */
    uint64_t generation;
    /* Bytes of a block. */
    uint32_t block_bytes;
    /* Nodes that lack it or do not answer: 0 if all is well, and it can be read as it is. */
    uint32_t lacking;
    /* What sha256sum prints, as bytes. */
    uint8_t sha256[32];
} tenbin_object;

/* Fills a buffer with `bytes` bytes of the object from `offset` on. Offsets come in order and
 * without gaps. Returns 0; anything else fails the put. */
typedef int (*tenbin_feed)(void *context, uint64_t offset, void *buffer, size_t bytes);

/* Takes the next `bytes` bytes of the object; they are valid during the call. Returns 0; anything
 * else fails the get. */
typedef int (*tenbin_sink)(void *context, const void *data, size_t bytes);

/* Is told how many bytes are done, of how many in all; at a put also four times a second while
 * nothing moves. Returns 0 to go on; anything else stops. */
typedef int (*tenbin_watch)(void *context, uint64_t done, uint64_t total);

/* Takes a name and what is known of it, both valid during the call; `object` is NULL where too few
 * nodes answer to read it. Returns 0; anything else ends the list. */
typedef int (*tenbin_names)(void *context, const char *name, const tenbin_object *object);

/* How parity is made, for tenbin_relay_set_schedule(). */
#define TENBIN_AUTO 0  /* as pivot, and partly naive as more clients write: the default */
#define TENBIN_NAIVE 1 /* the client sends data and parity */
#define TENBIN_CHAIN 2 /* along a chain of nodes */
#define TENBIN_PIVOT 3 /* nodes take turns in making it */

/* Opens a cluster by the addresses of all its nodes, "HOST:PORT", always in the same order. `keys`
 * is the client's folder of `tenbin relay keys add`, or NULL for a cluster without keys.
 *
 * TENBIN_FAILED if too few nodes answer to read anything; TENBIN_BAD_INPUT if they are not the
 * nodes of one cluster. `*relay` is a handle after an error, too, so that there are words to it:
 * close it in any case. tenbin_relay_reconnect() tries again. */
int tenbin_relay_open(const char *const *addresses, size_t count, const char *keys,
                      tenbin_relay **relay);

/* Ends the connections and frees the handle. NULL is well. TENBIN_BUSY if a call runs: then the
 * handle stays. */
int tenbin_relay_close(tenbin_relay *relay);

/* Why the last call with this handle did not return TENBIN_OK; "" if it did. Valid until the next
 * call with this handle. TENBIN_BUSY leaves it as it was. */
const char *tenbin_relay_error(const tenbin_relay *relay);

/* A node that is lost once is done without from then on. This connects to all nodes anew, as
 * tenbin_relay_open() does; what was set stays. */
int tenbin_relay_reconnect(tenbin_relay *relay);

/* How many nodes are done without now; `*why`, if `why` is not NULL, says which and why, and is
 * valid until the next call with this handle. */
int tenbin_relay_missing(tenbin_relay *relay, size_t *count, const char **why);

/* Bytes of a block of what is put from now on: a multiple of 64 up to 4 MiB; at first 64 KiB. A
 * put says if it cannot be. */
int tenbin_relay_set_block(tenbin_relay *relay, uint32_t bytes);

/* How parity is made from now on: TENBIN_AUTO or another. */
int tenbin_relay_set_schedule(tenbin_relay *relay, int schedule);

/* Who watches puts and gets from now on; NULL: nobody. The library keeps both pointers until the
 * next call of this function, or until the handle is closed. */
int tenbin_relay_set_watch(tenbin_relay *relay, tenbin_watch watch, void *context);

/* Writes an object from memory. After TENBIN_OK it is durable and visible on all nodes; otherwise
 * the name is as it was, or will be once somebody has looked. An object of this name is replaced.
 * `data` may be NULL if `bytes` is 0. Takes all nodes. */
int tenbin_relay_put(tenbin_relay *relay, const char *name, const void *data, size_t bytes);

/* The same from a callback, for objects that do not fit into memory. */
int tenbin_relay_put_from(tenbin_relay *relay, const char *name, uint64_t bytes, tenbin_feed feed,
                          void *context);

/* Reads an object into a buffer of `capacity` bytes and says its length. A buffer that is too small
 * is TENBIN_BAD_INPUT, and `*bytes` is what it takes; tenbin_relay_stat() says it before. After an
 * error the buffer holds nothing of use. Works with the nodes that are left. */
int tenbin_relay_get(tenbin_relay *relay, const char *name, void *buffer, size_t capacity,
                     uint64_t *bytes);

/* The same into a callback. What it got is the object only after TENBIN_OK: the checksum is held
 * against the writer's at the end. */
int tenbin_relay_get_to(tenbin_relay *relay, const char *name, tenbin_sink sink, void *context);

/* What is known of an object. `object` may be NULL, to ask whether it is there. */
int tenbin_relay_stat(tenbin_relay *relay, const char *name, tenbin_object *object);

/* Tells all names, in order. TENBIN_FAILED, behind the names that are known, if so many nodes are
 * down that names may lack. */
int tenbin_relay_list(tenbin_relay *relay, tenbin_names names, void *context);

/* Removes an object. It stays removed, also if nodes that were down come back with it. */
int tenbin_relay_remove(tenbin_relay *relay, const char *name);

/* ------------------------------------------------------------------------ part 2: the transport */

/*
 * It does what RDMA verbs do, and no more: memory is registered as a ring of slots of one size; a
 * peer that was allowed to writes a block from a slot of its own straight into one of these, with
 * 32 bits that the owner is told; small messages are sent beside; events are polled. Of the order
 * only this is promised: messages of one link arrive in the order in which they were sent. A block
 * may overtake anything.
 *
 * Nothing happens between calls: whoever wants to send, receive or accept calls
 * tenbin_transport_poll() again and again.
 */
typedef struct tenbin_transport tenbin_transport;

/* A message has this many bytes at most, and a slot. */
#define TENBIN_MOST_MESSAGE 262144
#define TENBIN_MOST_SLOT 4194304

/* Kinds of events. */
#define TENBIN_NOTHING 0 /* the time is up */
#define TENBIN_OPENED 1  /* somebody has connected: link */
#define TENBIN_UP 2      /* a connection that was begun here stands: link */
#define TENBIN_DOWN 3    /* a connection is no more, or never was one: link; data is why, a text */
#define TENBIN_MESSAGE 4 /* a message came: link, data, length */
#define TENBIN_ARRIVED 5 /* a block lies in a slot: link, ring, slot, length, imm */
#define TENBIN_SENT 6    /* a block has left its slot, which may now change: link, token */
#define TENBIN_WOKEN 7   /* tenbin_waker_wake() was called: token is its number */

/* An event. What its kind does not name is 0. */
typedef struct tenbin_event {
    int32_t kind;
    uint32_t link;
    uint32_t ring;
    uint32_t slot;
    uint32_t imm;
    uint64_t token;
    /* Bytes of the message, of the text without its NUL, or of the block. */
    size_t length;
    /* Valid until the next call of tenbin_transport_poll(), or until the handle is closed. */
    const uint8_t *data;
} tenbin_event;

/* A block on its way out. */
typedef struct tenbin_write {
    /* Of the sender. The slot must not change before TENBIN_SENT. */
    uint32_t from_ring;
    uint32_t from_slot;
    /* Of the receiver, who told these numbers in a message. */
    uint32_t to_ring;
    uint32_t to_slot;
    /* Bytes: from 1 to those of the sender's slot. */
    uint32_t length;
    /* What the receiver is told. */
    uint32_t imm;
    /* What TENBIN_SENT will say. */
    uint64_t token;
} tenbin_write;

/* Opens an end of connections. `listen` is where it listens, "HOST:PORT", with port 0 for any,
 * or NULL to connect only. `keys` is a party's folder of `tenbin relay keys add`, or NULL: then
 * nothing is encrypted, and whoever reaches the address is let in. `*transport` is a handle after
 * an error, too, as with tenbin_relay_open(). */
int tenbin_transport_open(const char *listen, const char *keys, tenbin_transport **transport);

/* Ends all links and frees the handle with all its rings. NULL is well. */
int tenbin_transport_close(tenbin_transport *transport);

/* As tenbin_relay_error(). */
const char *tenbin_transport_error(const tenbin_transport *transport);

/* Where it listens, with the port that the system chose; "" if it does not. Valid until the handle
 * is closed. */
int tenbin_transport_address(tenbin_transport *transport, const char **address);

/* Begins a connection and says its number, which is not used again; TENBIN_UP or TENBIN_DOWN
 * follows. `node` is the number that the other end's certificate must have; without keys nobody
 * looks at it. */
int tenbin_transport_connect(tenbin_transport *transport, const char *address, size_t node,
                             uint32_t *link);

/* Ends a connection, with what is still on its way out. No event of it follows. */
int tenbin_transport_disconnect(tenbin_transport *transport, uint32_t link);

/* Whether the other end may be this node: 1 or 0. With keys it has shown the node's certificate;
 * without, everybody is believed. */
int tenbin_transport_is_node(tenbin_transport *transport, uint32_t link, size_t node, int *is);

/* Memory for `slots` slots of `slot_bytes` bytes each, all zero; says the ring's number, which is
 * not used again. */
int tenbin_transport_register(tenbin_transport *transport, size_t slots, size_t slot_bytes,
                              uint32_t *ring);

/* Gives a ring back. Blocks that wait to be sent from it are dropped; a block that still comes for
 * it is dropped, too. */
int tenbin_transport_release(tenbin_transport *transport, uint32_t ring);

/* The peer may write into the first `slots` slots of a ring, until the link or the ring is no more.
 * A peer that writes elsewhere loses its link. */
int tenbin_transport_allow(tenbin_transport *transport, uint32_t link, uint32_t ring, size_t slots);

/* Says where a slot begins. The pointer, and those to the ring's other slots, is valid until the
 * ring is released or the handle is closed. Read a slot after TENBIN_ARRIVED; write to one that is
 * not on its way out; a slot that a peer may write into changes during tenbin_transport_poll(). */
int tenbin_transport_slot(tenbin_transport *transport, uint32_t ring, uint32_t slot,
                          uint8_t **memory);

/* Bytes of all rings. */
int tenbin_transport_registered(tenbin_transport *transport, size_t *bytes);

/* Writes a block into a peer's ring; TENBIN_SENT follows, unless the link or the ring ends. */
int tenbin_transport_write(tenbin_transport *transport, uint32_t link, const tenbin_write *write);

/* Sends a message of 1 to TENBIN_MOST_MESSAGE bytes, which is copied. */
int tenbin_transport_send(tenbin_transport *transport, uint32_t link, const void *data,
                          size_t bytes);

/* The next event, waited for `wait_ms` milliseconds at most; its kind is TENBIN_NOTHING if there is
 * none. */
int tenbin_transport_poll(tenbin_transport *transport, uint32_t wait_ms, tenbin_event *event);

/* Nanoseconds since the handle was opened, for deadlines. */
int tenbin_transport_now(tenbin_transport *transport, uint64_t *nanoseconds);

/* Lets other threads be heard by tenbin_transport_poll(). */
typedef struct tenbin_waker tenbin_waker;

/* Makes one. It may outlive the transport. */
int tenbin_transport_waker(tenbin_transport *transport, tenbin_waker **waker);

/* TENBIN_WOKEN with this number will come. By any thread, and by several at a time; not by a
 * signal's handler. */
int tenbin_waker_wake(const tenbin_waker *waker, uint64_t number);

/* Frees it. NULL is well. */
void tenbin_waker_free(tenbin_waker *waker);

#ifdef __cplusplus
}
#endif

#endif
