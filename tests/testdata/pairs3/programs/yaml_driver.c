/* Parses a generated document event by event. */
#include <stdio.h>
#include <string.h>
#include <yaml.h>

static char text[60000];
static size_t size, at;

static int read_part(void *data, unsigned char *buffer, size_t room, size_t *read) {
  (void)data;
#ifdef SMALL_READS
  if (room > SMALL_READS) room = SMALL_READS;
#endif
  *read = size - at < room ? size - at : room;
  memcpy(buffer, text + at, *read);
  at += *read;
  return 1;
}

int main(void) {
  yaml_parser_t parser;
  yaml_event_t event;
  int i, events = 0, done = 0;
  for (i = 0; i < 60; ++i)
    size += sprintf(text + size, "- name: \"record %d\"\n  tags: [a, b, 'c d']\n  value: %d\n  text: |\n    some lines\n    of text\n", i, i * i);
#ifdef UTF16
  for (i = (int)size - 1; i >= 0; --i) {
    text[2 * i + 2] = text[i];
    text[2 * i + 3] = 0;
  }
  text[0] = (char)0xff;
  text[1] = (char)0xfe;
  size = 2 * size + 2;
#endif
  yaml_parser_initialize(&parser);
  yaml_parser_set_input(&parser, read_part, NULL);
  while (!done && yaml_parser_parse(&parser, &event)) {
    done = event.type == YAML_STREAM_END_EVENT;
    ++events;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  printf("%d\n", events);
  return 0;
}
