/*
 * libtenbin_relay: a client of a cluster of relays: put, get, stat, list, remove.
 *
 *   cc program.c -I FOLDER_OF_THIS_FILE -L FOLDER_OF_THE_LIBRARY -ltenbin_relay
 *
 * What holds for all of it:
 *
 * - Sizes are in bytes. Texts are UTF-8 and end with a NUL.
 * - A function that can fail returns a TENBIN_… code, which is 0 if all went well. The words to it
 *   are tenbin_relay_error() of the handle.
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
/* Invalid request: change it. */
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

#ifdef __cplusplus
}
#endif

#endif
