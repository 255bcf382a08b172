/* Reads a generated document as events and writes it again. */
#include <stdio.h>
#include <string.h>
#include "yaml.h"

int main(void) {
  static char text[60000];
  static unsigned char out[90000];
  size_t size = 0, written = 0;
  int i, done = 0;
  yaml_parser_t parser;
  yaml_emitter_t emitter;
  yaml_event_t event;
  for (i = 0; i < 110; ++i)
    size += sprintf(text + size, "entry%d:\n  id: %d\n  text: \"some quoted text\"\n  list: [one, two, three]\n", i, i);
  yaml_parser_initialize(&parser);
  yaml_parser_set_input_string(&parser, (unsigned char *)text, size);
  yaml_emitter_initialize(&emitter);
  yaml_emitter_set_output_string(&emitter, out, sizeof out, &written);
  while (!done) {
    if (!yaml_parser_parse(&parser, &event)) return 1;
    done = event.type == YAML_STREAM_END_EVENT;
    if (!yaml_emitter_emit(&emitter, &event)) return 1;
  }
  yaml_emitter_delete(&emitter);
  yaml_parser_delete(&parser);
  printf("%zu -> %zu\n", size, written);
  return 0;
}
