/* Reads a mailbox, sorts its messages into threads, counts words and writes a digest (pairs_tenth.toml). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MESSAGES
#define MESSAGES 180
#endif

#define APART __attribute__((noinline))

/* ---- text that belongs to a mailbox ------------------------------------------------------------ */

struct block {
  struct block *before;
  size_t used, size;
  char room[];
};

struct arena {
  struct block *last;
};

static void *take(struct arena *arena, size_t size) {
  struct block *block = arena->last;
  void *result;
  size = (size + 7) & ~(size_t)7;
  if (!block || block->size - block->used < size) {
    const size_t room = size > 65536 ? size : 65536;
    block = malloc(sizeof *block + room);
    if (!block) abort();
    block->before = arena->last;
    block->used = 0;
    block->size = room;
    arena->last = block;
  }
  result = block->room + block->used;
  block->used += size;
  return result;
}

static void give_back(struct arena *arena) {
  while (arena->last) {
    struct block *before = arena->last->before;
    free(arena->last);
    arena->last = before;
  }
}

/* A part of a text. */
struct part {
  const char *at;
  size_t length;
};

static struct part kept(struct arena *arena, struct part text) {
  char *copy = take(arena, text.length + 1);
  memcpy(copy, text.at, text.length);
  copy[text.length] = 0;
  return (struct part){copy, text.length};
}

/* ---- messages ---------------------------------------------------------------------------------- */

struct header {
  struct part name, value;
};

struct message {
  struct header headers[12];
  int header_count;
  struct part body;
  struct part thread; /* its subject without "Re:" */
  int number;
};

struct mailbox {
  struct arena arena;
  struct message *messages;
  int count, refused;
};

/* Whether a text is well-formed UTF-8. */
APART static int is_utf8(struct part text) {
  const unsigned char *at = (const unsigned char *)text.at, *end = at + text.length;
  while (at < end) {
    int more;
    if (*at < 0x80) more = 0;
    else if (*at >= 0xc2 && *at < 0xe0) more = 1;
    else if ((*at & 0xf0) == 0xe0) more = 2;
    else if (*at >= 0xf0 && *at < 0xf5) more = 3;
    else return 0;
    ++at;
    while (more-- > 0)
      if (at >= end || (*at++ & 0xc0) != 0x80) return 0;
  }
  return 1;
}

static struct part line_of(const char **at, const char *end) {
  const char *stop = memchr(*at, '\n', (size_t)(end - *at));
  struct part line;
  if (!stop) stop = end;
  line.at = *at;
  line.length = (size_t)(stop - *at);
  *at = stop < end ? stop + 1 : end;
  return line;
}

static int same_name(struct part name, const char *wanted) {
  size_t i;
  for (i = 0; i < name.length; ++i) {
    char c = name.at[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c + 32);
    if (c != wanted[i]) return 0;
  }
  return wanted[i] == 0;
}

/* The value of a header; `name` is in lower case. */
APART static struct part header_of(const struct message *message, const char *name) {
  int i;
  for (i = 0; i < message->header_count; ++i)
    if (same_name(message->headers[i].name, name)) return message->headers[i].value;
  return (struct part){"", 0};
}

static struct part without_reply(struct part subject) {
  while (subject.length > 3 && !memcmp(subject.at, "Re:", 3)) {
    subject.at += 3;
    subject.length -= 3;
    while (subject.length && *subject.at == ' ') ++subject.at, --subject.length;
  }
  return subject;
}

/* Reads one message, of which `text` has all; 0: it is refused. */
APART static int read_message(struct arena *arena, struct message *message, struct part text) {
  const char *at = text.at, *end = text.at + text.length;
  message->header_count = 0;
  while (at < end) {
    struct part line = line_of(&at, end), name, value;
    const char *colon;
    if (line.length == 0) break;
    colon = memchr(line.at, ':', line.length);
    if (!colon || message->header_count == 12) continue;
    name = (struct part){line.at, (size_t)(colon - line.at)};
    value = (struct part){colon + 1, (size_t)(line.at + line.length - colon - 1)};
    while (value.length && *value.at == ' ') ++value.at, --value.length;
#ifdef UTF8_CHECKED
    if (!is_utf8(value)) return 0;
#endif
    message->headers[message->header_count++] = (struct header){kept(arena, name), kept(arena, value)};
  }
  message->body = (struct part){at, (size_t)(end - at)};
#ifdef UTF8_CHECKED
  if (!is_utf8(message->body)) return 0;
#endif
  message->thread = without_reply(header_of(message, "subject"));
  return 1;
}

/* Messages begin with a line "From ". */
APART static void read_mailbox(struct mailbox *box, struct part text) {
  const char *at = text.at, *end = text.at + text.length;
  struct part begin = line_of(&at, end);
  (void)begin;
  while (at < end && box->count < MESSAGES) {
    const char *start = at, *stop = end, *look;
    for (look = at; look < end;) {
      const char *line_start = look;
      struct part line = line_of(&look, end);
      if (line.length > 5 && !memcmp(line.at, "From ", 5)) {
        stop = line_start;
        break;
      }
    }
    box->messages[box->count].number = box->count + box->refused;
    if (read_message(&box->arena, &box->messages[box->count], (struct part){start, (size_t)(stop - start)})) ++box->count;
    else ++box->refused;
    at = stop;
    if (at < end) line_of(&at, end);
  }
}

/* ---- words ------------------------------------------------------------------------------------- */

enum { BUCKETS = 1024 };

struct word {
  struct word *next;
  struct part text;
  int times;
};

struct words {
  struct word *buckets[BUCKETS];
  struct arena *arena;
  int different;
};

static uint32_t hash_of(struct part text) {
  uint32_t hash = 2166136261u;
  size_t i;
  for (i = 0; i < text.length; ++i) hash = (hash ^ (unsigned char)text.at[i]) * 16777619u;
  return hash;
}

/* Counts a word. */
APART static void count_word(struct words *words, struct part text) {
  struct word **place = &words->buckets[hash_of(text) % BUCKETS], *word;
  for (word = *place; word; word = word->next)
    if (word->text.length == text.length && !memcmp(word->text.at, text.at, text.length)) {
      ++word->times;
      return;
    }
  word = take(words->arena, sizeof *word);
  word->text = kept(words->arena, text);
  word->times = 1;
  word->next = *place;
  *place = word;
  ++words->different;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80; }

APART static void count_words(struct words *words, struct part text) {
  size_t i = 0;
  while (i < text.length) {
    size_t start;
    while (i < text.length && !is_letter(text.at[i])) ++i;
    start = i;
    while (i < text.length && is_letter(text.at[i])) ++i;
    if (i > start) {
#ifdef WORDS_COPIED
      char *copy = strndup(text.at + start, i - start);
      count_word(words, (struct part){copy, i - start});
      free(copy);
#else
      count_word(words, (struct part){text.at + start, i - start});
#endif
    }
  }
}

/* ---- the digest -------------------------------------------------------------------------------- */

/* Where a digest goes. */
struct sink {
  void (*put)(void *data, const char *bytes, size_t length);
  void *data;
};

struct buffer {
  char *bytes;
  size_t used, size;
};

static void buffer_put(void *data, const char *bytes, size_t length) {
  struct buffer *buffer = data;
  if (buffer->size - buffer->used < length) {
    while (buffer->size - buffer->used < length) buffer->size = buffer->size ? 2 * buffer->size : 4096;
    buffer->bytes = realloc(buffer->bytes, buffer->size);
    if (!buffer->bytes) abort();
  }
  memcpy(buffer->bytes + buffer->used, bytes, length);
  buffer->used += length;
}

static void put(const struct sink *sink, const char *text) { sink->put(sink->data, text, strlen(text)); }

static const char *entity_of(char c) {
  switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default: return NULL;
  }
}

APART static void put_escaped(const struct sink *sink, struct part text) {
  size_t i;
#ifdef PUT_BY_BYTE
  for (i = 0; i < text.length; ++i) {
    const char *entity = entity_of(text.at[i]);
    if (entity) put(sink, entity);
    else sink->put(sink->data, text.at + i, 1);
  }
#else
  size_t from = 0;
  for (i = 0; i < text.length; ++i) {
    const char *entity = entity_of(text.at[i]);
    if (!entity) continue;
    if (i > from) sink->put(sink->data, text.at + from, i - from);
    put(sink, entity);
    from = i + 1;
  }
  if (text.length > from) sink->put(sink->data, text.at + from, text.length - from);
#endif
}

APART static void put_digest(const struct sink *sink, const struct mailbox *box) {
  int i;
  put(sink, "<ul>\n");
  for (i = 0; i < box->count; ++i) {
    const struct message *message = &box->messages[i];
    put(sink, "<li><b>");
    put_escaped(sink, header_of(message, "subject"));
    put(sink, "</b> by <i>");
    put_escaped(sink, header_of(message, "from"));
    put(sink, "</i>, ");
    put_escaped(sink, header_of(message, "date"));
    put(sink, "<pre>");
    put_escaped(sink, message->body);
    put(sink, "</pre></li>\n");
  }
  put(sink, "</ul>\n");
}

static int by_thread(const void *a, const void *b) {
  const struct message *first = a, *second = b;
  const size_t length = first->thread.length < second->thread.length ? first->thread.length : second->thread.length;
  int order = memcmp(first->thread.at, second->thread.at, length);
  if (!order) order = (first->thread.length > second->thread.length) - (first->thread.length < second->thread.length);
  return order ? order : first->number - second->number;
}

/* ---- a mailbox to read ------------------------------------------------------------------------- */

static struct part mailbox_text(void) {
  static const char *const some[] = {"the", "meeting", "on", "Tuesday", "caf\xc3\xa9", "moved", "to", "room", "\"seven\"", "please", "bring", "figures", "for", "March", "&", "April", "costs < 500", "agreed"};
  char *text = malloc((size_t)MESSAGES * 1200);
  size_t used = 0;
  unsigned seed = 11;
  int i, j;
  if (!text) abort();
  for (i = 0; i < MESSAGES; ++i) {
    used += (size_t)sprintf(text + used, "From writer%d@example.org\nReceived: by mail%d.example.org; id %d\nMessage-ID: <%d.%d@example.org>\n", i % 23, i % 3, i * 7, i, i * 31);
    used += (size_t)sprintf(text + used, "From: Writer Number %d <writer%d@example.org>\nTo: list@example.org\nDate: %d Mar 2024 10:%02d\n", i % 23, i % 23, 1 + i % 28, i % 60);
    used += (size_t)sprintf(text + used, "Subject: %sPlans for project %d\nContent-Type: text/plain; charset=utf-8\n\n", i % 3 ? "Re: " : "", i * 7 % 40);
    for (j = 0; j < 70; ++j) {
      seed = seed * 1103515245u + 12345u;
      used += (size_t)sprintf(text + used, "%s%s", some[(seed >> 16) % 18], j % 11 == 10 ? "\n" : " ");
    }
    used += (size_t)sprintf(text + used, "\n\n");
  }
  return (struct part){text, used};
}

int main(void) {
  struct part text = mailbox_text();
  struct mailbox box = {{NULL}, NULL, 0, 0};
  struct words words = {{NULL}, &box.arena, 0};
  struct buffer buffer = {NULL, 0, 0};
  struct sink sink = {buffer_put, &buffer};
  int i, round;
  box.messages = calloc(MESSAGES, sizeof *box.messages);
  if (!box.messages) abort();
  read_mailbox(&box, text);
  qsort(box.messages, (size_t)box.count, sizeof *box.messages, by_thread);
  for (i = 0; i < box.count; ++i) count_words(&words, box.messages[i].body);
  for (round = 0; round < 2; ++round) put_digest(&sink, &box);
  printf("%d messages, %d refused, %d words, %zu bytes\n", box.count, box.refused, words.different, buffer.used);
  free(buffer.bytes);
  free(box.messages);
  give_back(&box.arena);
  free((char *)text.at);
  return 0;
}
