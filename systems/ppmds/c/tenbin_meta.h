/*
 * libtenbin_meta: a client of the metadata service: directories, entries, small files.
 *
 *   cc program.c -I FOLDER_OF_THIS_FILE -L FOLDER_OF_THE_LIBRARY -ltenbin_meta
 *
 * For all functions:
 *
 * - A function that can fail returns 0 or a number of <errno.h>. tenbin_meta_error() has the reason
 *   in words.
 * - Paths are absolute: names of 1 to 255 bytes with "/" between them, and a NUL at the end. "."
 *   and ".." are not names. Symbolic links are not followed. The root has no entry of its own: only
 *   tenbin_meta_stat() and tenbin_meta_readdir() take it, all others return EINVAL.
 * - All calls block. Several threads may use one session at the same time. At most 32 operations of
 *   a session run at once; further ones wait.
 * - An operation is atomic. When its function returns 0, it is as durable as `--durability` of the
 *   nodes states.
 * - ETIMEDOUT: no answer within the session's deadline. The operation may have taken effect, or may
 *   still do so.
 * - Errors of any function: EBADF (the session is closed), EINVAL (an argument is invalid), EIO
 *   (the servers' rows differ), ENOTRECOVERABLE (a bug in the library). Errors of any path: ENOENT,
 *   ENOTDIR, ENAMETOOLONG.
 * - The library reads what a pointer refers to only during the call.
 * - A callback must return: no longjmp and no C++ exception out of it. It may call this library.
 * - Each session has a thread. It blocks all signals, and its writes raise no SIGPIPE. A child of
 *   fork() must not use a session of its parent.
 * - The service checks no permissions: modes, owners and groups are only stored.
 */
#ifndef TENBIN_META_H
#define TENBIN_META_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this header and of its library. */
#define TENBIN_META_VERSION "0.2.0"

/* Longest contents of a file, in bytes. */
#define TENBIN_META_MOST_CONTENTS 262144

/* Fields of a tenbin_meta_change that apply. */
#define TENBIN_META_MODE 1
#define TENBIN_META_OWNER 2 /* owner and group */
#define TENBIN_META_SIZE 4
#define TENBIN_META_MODIFIED 8

/* A session with the service. Numbers are not used again. */
typedef uint64_t tenbin_meta;

typedef struct tenbin_meta_inode {
    uint64_t ino;
    /* In bytes. */
    uint64_t size;
    /* Last change of the contents, by the server's clock, in ns since 1970. */
    uint64_t modified;
    /* Last change of the inode, in ns since 1970. */
    uint64_t changed;
    /* Type and permissions, as st_mode of <sys/stat.h>. */
    uint32_t mode;
    /* Names of a file; 1 for a directory. */
    uint32_t links;
    uint32_t owner;
    uint32_t group;
} tenbin_meta_inode;

typedef struct tenbin_meta_change {
    /* Which of the fields apply: TENBIN_META_MODE and others, with |. */
    uint32_t set;
    /* Permissions: 0 to 07777. */
    uint32_t mode;
    uint32_t owner;
    uint32_t group;
    /* In bytes. A file that becomes longer gets zeros. */
    uint64_t size;
    /* In ns since 1970. */
    uint64_t modified;
} tenbin_meta_change;

/* Receives an entry of a directory: its name, valid during the call, its inode number, and its type
 * as in st_mode (S_IFDIR and others). A result other than 0 ends the list. */
typedef int (*tenbin_meta_names)(void *context, const char *name, uint64_t ino, uint32_t type);

/* The library's version, to be compared with TENBIN_META_VERSION; always valid. While it begins
 * with 0, a library works only with the header of its own version. */
const char *tenbin_meta_version(void);

/* Why this thread's last call failed; "" if it did not. Valid until this thread's next call. */
const char *tenbin_meta_error(void);

/* Opens a session with the cluster of a file, as of `tenbin meta init`. `keys` is the client's
 * folder of `tenbin relay keys add`, or NULL for a cluster without keys. `deadline_ms` limits the
 * wait of each operation; 0 means 30 000.
 *
 * EINVAL: the file or the keys are invalid, or a server refuses this client. ETIMEDOUT: no server
 * answers. */
int tenbin_meta_open(const char *cluster, const char *keys, uint32_t deadline_ms,
                     tenbin_meta *meta);

/* Closes a session. Calls that run on other threads complete; the last of them ends it. */
int tenbin_meta_close(tenbin_meta meta);

/* Makes a directory or an empty file, with permissions of 0 to 07777. EEXIST. */
int tenbin_meta_mkdir(tenbin_meta meta, const char *path, uint32_t mode, uint32_t owner,
                      uint32_t group);
int tenbin_meta_create(tenbin_meta meta, const char *path, uint32_t mode, uint32_t owner,
                       uint32_t group);

/* `inode` may be NULL, to check whether the path exists. */
int tenbin_meta_stat(tenbin_meta meta, const char *path, tenbin_meta_inode *inode);

/* Lists a whole directory, sorted by the bytes of names. Each entry is of some moment of the
 * call. */
int tenbin_meta_readdir(tenbin_meta meta, const char *path, tenbin_meta_names names,
                        void *context);

/* Replaces an existing target, as rename() of POSIX. EISDIR, ENOTEMPTY; EINVAL: a directory moved
 * into its own descendant. */
int tenbin_meta_rename(tenbin_meta meta, const char *from, const char *to);

/* Gives a file another name. EEXIST; EPERM: a directory. */
int tenbin_meta_link(tenbin_meta meta, const char *from, const char *to);

/* Removes a name of a file. EISDIR. */
int tenbin_meta_unlink(tenbin_meta meta, const char *path);

/* Removes an empty directory. ENOTEMPTY. */
int tenbin_meta_rmdir(tenbin_meta meta, const char *path);

/* Changes attributes together. For a size: EISDIR, EFBIG, and ESTALE if another client replaces the
 * entry during the call. */
int tenbin_meta_setattr(tenbin_meta meta, const char *path, const tenbin_meta_change *change);

/* Reads a file, or the target of a symbolic link, into a buffer of `capacity` bytes, and sets its
 * length. TENBIN_META_MOST_CONTENTS bytes are always enough. EISDIR; ERANGE: the buffer is too
 * small for `*bytes` bytes; EFBIG: another client made the file longer than this library reads. */
int tenbin_meta_read(tenbin_meta meta, const char *path, void *buffer, size_t capacity,
                     size_t *bytes);

/* Replaces all contents of an existing file. `data` may be NULL if `bytes` is 0. EISDIR; EFBIG:
 * over TENBIN_META_MOST_CONTENTS bytes; ESTALE: another client replaced the entry meanwhile. */
int tenbin_meta_write(tenbin_meta meta, const char *path, const void *data, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
