/* The behaviours of the conformance suite (behaviours.ts), as a WASI command: the first argument says which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HTTP_STEP \
  "{\"type\":\"http\",\"method\":\"GET\",\"url\":\"https://example.com/a?b=c\",\"headers\":{\"accept\":\"text/plain\"}}"
#define DB_STEP "{\"type\":\"db\",\"operation\":\"read_memories\",\"params\":{\"limit\":3}}"
#define MAIL_STEP "{\"type\":\"mail\",\"operation\":\"send\",\"params\":{\"to\":\"a@example.com\"}}"
#define RUDE_FAILURE \
  "{\"type\":\"error\",\"message\":\"a\\u001b[2J\\u009b1m\\nb\\u202ec\\u200b\\udb40\\udc41\"}"

static char *envelope = NULL;

static int is(const char *name, const char *expected) { return strcmp(name, expected) == 0; }

/* The last place where `needle` is: text inside an earlier field is then no matter. */
static char *last(char *text, const char *needle) {
  char *found = NULL;
  for (char *at = text; (at = strstr(at, needle)) != NULL; at++) found = at;
  return found;
}

static int print_result(const char *json, size_t length) {
  printf("{\"type\":\"result\",\"content\":%.*s}\n", (int)length, json);
  return 0;
}

static int echo_params(void) {
  char *params = envelope + strlen("{\"params\":");
  return print_result(params, (size_t)(last(envelope, ",\"approved\":") - params));
}

/* Asks for the step; called again with its answer, prints that: it is the envelope's last field. */
static int ask(const char *step, const char *field) {
  char *answer = strstr(envelope, field);
  if (answer == NULL) return puts(step) < 0;
  answer += strlen(field);
  return print_result(answer, strlen(answer) - 1);
}

static int count(void) {
  static int calls = 0;
  printf("{\"type\":\"result\",\"content\":%d}\n", ++calls);
  return 0;
}

/* Through a volatile pointer: the compiler may otherwise see that nobody reads the memory, and take none. */
static void take_all_memory(void) {
  static char *volatile piece;
  for (;;) {
    piece = malloc(1 << 20);
    if (piece == NULL) abort();
    memset(piece, 1, 1 << 20);
  }
}

int main(int argc, char **argv) {
  const char *behaviour = argc > 1 ? argv[argc - 1] : "";
  size_t capacity = 0;
  ssize_t length = getline(&envelope, &capacity, stdin);
  if (length < 1) return 2;
  if (envelope[length - 1] == '\n') envelope[length - 1] = '\0';

  if (is(behaviour, "echo")) return echo_params();
  if (is(behaviour, "count")) return count();
  if (is(behaviour, "sleep")) return (int)sleep(3600);
  if (is(behaviour, "spin")) for (volatile int turn = 0;; turn++) continue;
  if (is(behaviour, "flood")) for (;;) puts("more and more and more");
  if (is(behaviour, "not-json")) return puts("it is 20 degrees") < 0;
  if (is(behaviour, "fail")) return puts("{\"type\":\"error\",\"message\":\"没有这个城市: no such city\"}") < 0;
  if (is(behaviour, "fail-rudely")) return puts(RUDE_FAILURE) < 0;
  if (is(behaviour, "crash")) abort();
  if (is(behaviour, "memory")) take_all_memory();
  if (is(behaviour, "http-step")) return ask(HTTP_STEP, ",\"response\":");
  if (is(behaviour, "db-step")) return ask(DB_STEP, ",\"db_response\":");
  if (is(behaviour, "mail-step")) return ask(MAIL_STEP, ",\"response\":");
  if (is(behaviour, "bad-step")) return puts("{\"type\":\"ftp\",\"url\":\"ftp://example.com\"}") < 0;
  if (is(behaviour, "step-then-sleep")) {
    if (strstr(envelope, ",\"response\":") != NULL) return (int)sleep(3600);
    return puts(HTTP_STEP) < 0;
  }
  return 64;
}
