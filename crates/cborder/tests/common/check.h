/* What the programs of the tests have in common. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call and the code that it has to return; the words of `handle`'s error have `part` in them. */
#define EXPECT(code, call) expect(__LINE__, #call, code, call)
#define WORDS(error, part) words(__LINE__, error, part)
#define CHECK(condition) expect(__LINE__, #condition, 1, !!(condition))

static void expect(int line, const char *what, int code, int got) {
    if (got != code) {
        fprintf(stderr, "line %d: %s: %d in place of %d\n", line, what, got, code);
        exit(1);
    }
}

static void words(int line, const char *error, const char *part) {
    if (strstr(error, part) == NULL) {
        fprintf(stderr, "line %d: \"%s\" has no \"%s\"\n", line, error, part);
        exit(1);
    }
}
