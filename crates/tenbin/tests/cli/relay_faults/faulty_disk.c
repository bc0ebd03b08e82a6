/* A disk that fills up or fails, in front of a node's real one: preloaded into `tenbin relay node`.
 *
 * A file FOLDER.fault beside a node's folder holds the number of an error. As long as it is there,
 * writes into the folder write half of what they should, down to 512 bytes, and then fail with it;
 * syncs, new files and renames fail at once. Reads go on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { LEAST = 512 };

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The error that operations in a file's folder have now; 0 for none. */
static int of_path(const char *path) {
    char fault[4096], text[16] = "";
    const char *end = strrchr(path, '/');
    if (path[0] != '/' || end == NULL || end == path) return 0;
    if (snprintf(fault, sizeof fault, "%.*s.fault", (int)(end - path), path) >= (int)sizeof fault)
        return 0;
    int fd = REAL(open)(fault, O_RDONLY);
    if (fd < 0) return 0;
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    return got > 0 ? atoi(text) : 0;
}

static int of_file(int fd) {
    char link[64], path[4096];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 2);
    errno = before;
    if (length <= 0) return 0;
    path[length] = 0;
    int of_it = of_path(path);
    if (of_it != 0) return of_it;
    /* The folder itself, which is synced after a rename. */
    strcpy(path + length, "/");
    return of_path(path);
}

static ssize_t half(int fd, const void *bytes, size_t count, off64_t at) {
    int fault = of_file(fd);
    if (fault == 0) return REAL(pwrite64)(fd, bytes, count, at);
    if (count > LEAST) return REAL(pwrite64)(fd, bytes, count / 2, at);
    errno = fault;
    return -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    return half(fd, bytes, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    return half(fd, bytes, count, at);
}

int fsync(int fd) {
    int fault = of_file(fd);
    if (fault == 0) return REAL(fsync)(fd);
    errno = fault;
    return -1;
}

int fdatasync(int fd) {
    int fault = of_file(fd);
    if (fault == 0) return REAL(fdatasync)(fd);
    errno = fault;
    return -1;
}

int rename(const char *from, const char *to) {
    int fault = of_path(from);
    if (fault == 0) return REAL(rename)(from, to);
    errno = fault;
    return -1;
}

int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
        int fault = of_path(path);
        if (fault != 0) {
            errno = fault;
            return -1;
        }
    }
    return REAL(open64)(path, flags, mode);
}
