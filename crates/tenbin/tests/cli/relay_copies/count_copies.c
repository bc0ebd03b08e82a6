/* Counts bytes that a process copies in its own memory, in pieces that blocks may be: preloaded into
 * `tenbin relay`. When the process ends, the count is appended to the file COPIES names, a line each.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Smaller pieces are heads, messages and names. */
enum { LEAST = 1024 };

static unsigned long copied;

/* Byte by byte for the compiler, `rep movsb` for the processor: no call of another copy. */
static void *forwards(void *to, const void *from, size_t count) {
    void *start = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
    return start;
}

static void note(size_t count) {
    if (count >= LEAST) __atomic_fetch_add(&copied, count, __ATOMIC_RELAXED);
}

void *memcpy(void *to, const void *from, size_t count) {
    note(count);
    return forwards(to, from, count);
}

void *memmove(void *to, const void *from, size_t count) {
    note(count);
    if ((char *)to <= (const char *)from || (char *)to >= (const char *)from + count)
        return forwards(to, from, count);
    for (size_t at = count; at > 0; at--) ((volatile char *)to)[at - 1] = ((const char *)from)[at - 1];
    return to;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("COPIES");
    char line[32];
    if (path == NULL) return;
    int length = snprintf(line, sizeof line, "%lu\n", copied);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (file < 0 || write(file, line, (size_t)length) != length) _exit(3);
    close(file);
}
