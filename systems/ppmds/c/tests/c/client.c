/* The client, with valid and invalid calls: its argument is a cluster file. */
#define _XOPEN_SOURCE 700
#include "tenbin_meta.h"

#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS 8
#define FILES 20

static tenbin_meta meta;
static char buffer[TENBIN_META_MOST_CONTENTS + 1];

static int counts(void *context, const char *name, uint64_t ino, uint32_t type) {
    CHECK(name[0] != 0 && ino > 1 && type == S_IFREG);
    ++*(int *)context;
    return 0;
}

static int takes_one(void *context, const char *name, uint64_t ino, uint32_t type) {
    (void)name, (void)ino, (void)type;
    return ++*(int *)context;
}

/* A callback may use its session. */
static int looks(void *context, const char *name, uint64_t ino, uint32_t type) {
    char path[300];
    tenbin_meta_inode inode;
    snprintf(path, sizeof path, "%s/%s", (const char *)context, name);
    EXPECT(0, tenbin_meta_stat(meta, path, &inode));
    CHECK(inode.ino == ino && (inode.mode & S_IFMT) == type);
    return 0;
}

static void not_opened(const char *file) {
    tenbin_meta none = 77;
    EXPECT(EINVAL, tenbin_meta_open(NULL, NULL, 0, &none));
    WORDS(tenbin_meta_error(), "the cluster file is NULL");
    EXPECT(EINVAL, tenbin_meta_open(file, NULL, 0, NULL));
    EXPECT(EINVAL, tenbin_meta_open("/nowhere", NULL, 0, &none));
    WORDS(tenbin_meta_error(), "/nowhere: ");
    EXPECT(EINVAL, tenbin_meta_open(file, "/nowhere", 0, &none));
    EXPECT(EBADF, tenbin_meta_close(none));
    EXPECT(EBADF, tenbin_meta_mkdir(none, "/a", 0755, 0, 0));
    WORDS(tenbin_meta_error(), "the session is closed");
}

static void bad_arguments(void) {
    const tenbin_meta_change unknown = {16, 0, 0, 0, 0, 0};
    size_t bytes;
    EXPECT(EINVAL, tenbin_meta_mkdir(meta, NULL, 0755, 0, 0));
    WORDS(tenbin_meta_error(), "the path is NULL");
    EXPECT(EINVAL, tenbin_meta_mkdir(meta, "a", 0755, 0, 0));
    WORDS(tenbin_meta_error(), "expected an absolute path");
    EXPECT(EINVAL, tenbin_meta_mkdir(meta, "/a/..", 0755, 0, 0));
    EXPECT(EINVAL, tenbin_meta_unlink(meta, "/"));
    EXPECT(EINVAL, tenbin_meta_create(meta, "/a", S_IFDIR | 0755, 0, 0));
    WORDS(tenbin_meta_error(), "mode 0o40755");
    EXPECT(EINVAL, tenbin_meta_rename(meta, "/a", NULL));
    EXPECT(EINVAL, tenbin_meta_readdir(meta, "/", NULL, NULL));
    EXPECT(EINVAL, tenbin_meta_setattr(meta, "/a", NULL));
    EXPECT(EINVAL, tenbin_meta_setattr(meta, "/a", &unknown));
    EXPECT(EINVAL, tenbin_meta_read(meta, "/a", NULL, 5, &bytes));
    EXPECT(EINVAL, tenbin_meta_read(meta, "/a", buffer, 5, NULL));
    EXPECT(EINVAL, tenbin_meta_write(meta, "/a", NULL, 1));
}

static void entries(void) {
    tenbin_meta_inode inode;
    int calls = 0;
    EXPECT(0, tenbin_meta_mkdir(meta, "/d", 0750, 7, 8));
    EXPECT(0, tenbin_meta_error()[0]);
    EXPECT(EEXIST, tenbin_meta_mkdir(meta, "/d", 0750, 7, 8));
    WORDS(tenbin_meta_error(), "already exists");
    EXPECT(0, tenbin_meta_create(meta, "/d/\xff", 0640, 7, 8));
    EXPECT(0, tenbin_meta_link(meta, "/d/\xff", "/d/b"));
    EXPECT(EPERM, tenbin_meta_link(meta, "/d", "/e"));
    EXPECT(0, tenbin_meta_stat(meta, "/d/b", &inode));
    CHECK(inode.mode == (S_IFREG | 0640) && inode.links == 2);
    CHECK(inode.owner == 7 && inode.group == 8 && inode.size == 0 && inode.modified > 0);
    EXPECT(0, tenbin_meta_readdir(meta, "/d", looks, "/d"));
    EXPECT(0, tenbin_meta_readdir(meta, "/d", takes_one, &calls));
    CHECK(calls == 1);
    EXPECT(ENOTDIR, tenbin_meta_stat(meta, "/d/b/c", NULL));
    EXPECT(ENOENT, tenbin_meta_stat(meta, "/e", NULL));
    EXPECT(ENOTEMPTY, tenbin_meta_rmdir(meta, "/d"));
    EXPECT(EISDIR, tenbin_meta_unlink(meta, "/d"));
    EXPECT(EINVAL, tenbin_meta_rename(meta, "/d", "/d/in"));
    EXPECT(0, tenbin_meta_rename(meta, "/d", "/e"));
    EXPECT(0, tenbin_meta_unlink(meta, "/e/\xff"));
    EXPECT(0, tenbin_meta_unlink(meta, "/e/b"));
    EXPECT(0, tenbin_meta_rmdir(meta, "/e"));
    EXPECT(0, tenbin_meta_stat(meta, "/", &inode));
    CHECK(inode.mode == (S_IFDIR | 0755));
}

static void attributes(void) {
    const tenbin_meta_change all = {15, 0600, 1, 2, 9, 1234567890123456789};
    const tenbin_meta_change size = {TENBIN_META_SIZE, 0, 0, 0, 3, 0};
    const tenbin_meta_change large = {TENBIN_META_SIZE, 0, 0, 0, 262145, 0};
    tenbin_meta_inode inode;
    size_t bytes = 0;
    EXPECT(0, tenbin_meta_create(meta, "/f", 0644, 0, 0));
    EXPECT(0, tenbin_meta_write(meta, "/f", "abcdef", 6));
    EXPECT(0, tenbin_meta_setattr(meta, "/f", &all));
    EXPECT(0, tenbin_meta_stat(meta, "/f", &inode));
    CHECK(inode.mode == (S_IFREG | 0600) && inode.owner == 1 && inode.group == 2);
    CHECK(inode.size == 9 && inode.modified == 1234567890123456789);
    EXPECT(0, tenbin_meta_read(meta, "/f", buffer, sizeof buffer, &bytes));
    CHECK(bytes == 9 && memcmp(buffer, "abcdef\0\0", 9) == 0);
    EXPECT(0, tenbin_meta_setattr(meta, "/f", &size));
    EXPECT(ERANGE, tenbin_meta_read(meta, "/f", buffer, 2, &bytes));
    WORDS(tenbin_meta_error(), "3 bytes, the buffer has 2");
    CHECK(bytes == 3);
    EXPECT(EFBIG, tenbin_meta_setattr(meta, "/f", &large));
    EXPECT(EISDIR, tenbin_meta_setattr(meta, "/files", &size));
}

static void contents(void) {
    size_t bytes = 0, at;
    EXPECT(0, tenbin_meta_mkdir(meta, "/files", 0755, 0, 0));
    EXPECT(ENOENT, tenbin_meta_write(meta, "/files/a", "a", 1));
    EXPECT(EISDIR, tenbin_meta_write(meta, "/files", "a", 1));
    EXPECT(EISDIR, tenbin_meta_read(meta, "/files", buffer, 1, &bytes));
    EXPECT(0, tenbin_meta_create(meta, "/files/a", 0644, 0, 0));
    for (at = 0; at < sizeof buffer; at++)
        buffer[at] = (char)(at * 7 + at / 251);
    EXPECT(EFBIG, tenbin_meta_write(meta, "/files/a", buffer, sizeof buffer));
    WORDS(tenbin_meta_error(), "262145 bytes: at most 262144");
    EXPECT(0, tenbin_meta_write(meta, "/files/a", buffer, TENBIN_META_MOST_CONTENTS));
    memset(buffer, 0, sizeof buffer);
    EXPECT(0, tenbin_meta_read(meta, "/files/a", buffer, sizeof buffer, &bytes));
    CHECK(bytes == TENBIN_META_MOST_CONTENTS);
    for (at = 0; at < bytes; at++)
        CHECK(buffer[at] == (char)(at * 7 + at / 251));
    EXPECT(0, tenbin_meta_write(meta, "/files/a", NULL, 0));
    EXPECT(0, tenbin_meta_read(meta, "/files/a", NULL, 0, &bytes));
    CHECK(bytes == 0);
    EXPECT(0, tenbin_meta_unlink(meta, "/files/a"));
}

/* Error texts are each thread's own. */
static void *thread(void *number) {
    char path[40];
    int at;
    for (at = 0; at < FILES; at++) {
        sprintf(path, "/files/%d-%d", *(int *)number, at);
        EXPECT(0, tenbin_meta_create(meta, path, 0644, 0, 0));
        EXPECT(*(int *)number % 2 ? EEXIST : ENOTDIR,
               tenbin_meta_create(meta, *(int *)number % 2 ? path : strcat(path, "/x"), 0, 0, 0));
        WORDS(tenbin_meta_error(), *(int *)number % 2 ? "already exists" : "not a directory");
    }
    return NULL;
}

static void threads(void) {
    pthread_t all[THREADS];
    int numbers[THREADS], at, calls = 0;
    for (at = 0; at < THREADS; at++) {
        numbers[at] = at;
        CHECK(pthread_create(&all[at], NULL, thread, &numbers[at]) == 0);
    }
    for (at = 0; at < THREADS; at++)
        CHECK(pthread_join(all[at], NULL) == 0);
    EXPECT(0, tenbin_meta_readdir(meta, "/files", counts, &calls));
    CHECK(calls == THREADS * FILES);
}

/* A signal that this thread blocks waits for it: the session's thread does not take it. */
static void signals(void) {
    sigset_t pipe;
    int taken = 0;
    CHECK(sigemptyset(&pipe) == 0 && sigaddset(&pipe, SIGPIPE) == 0);
    CHECK(pthread_sigmask(SIG_BLOCK, &pipe, NULL) == 0 && kill(getpid(), SIGPIPE) == 0);
    EXPECT(0, tenbin_meta_stat(meta, "/", NULL));
    CHECK(sigwait(&pipe, &taken) == 0 && taken == SIGPIPE);
}

int main(int argc, char **argv) {
    tenbin_meta second;
    CHECK(argc == 2 && strcmp(tenbin_meta_version(), TENBIN_META_VERSION) == 0);
    not_opened(argv[1]);
    EXPECT(0, tenbin_meta_open(argv[1], NULL, 0, &meta));
    bad_arguments();
    entries();
    contents();
    attributes();
    threads();
    signals();
    EXPECT(0, tenbin_meta_open(argv[1], NULL, 5000, &second));
    EXPECT(0, tenbin_meta_close(meta));
    EXPECT(EBADF, tenbin_meta_close(meta));
    EXPECT(0, tenbin_meta_stat(second, "/files", NULL));
    EXPECT(0, tenbin_meta_close(second));
    return 0;
}
