/* Builds a document, writes it as text and parses that. */
#include <stdio.h>
#include <string.h>
#include "json.h"

int main(void) {
#ifdef PERLLIKE
  json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE);
#endif
  struct json_object *list = json_object_new_array(), *back;
  const char *text;
  int i;
  for (i = 0; i < 300; ++i) {
    struct json_object *item = json_object_new_object();
    json_object_object_add(item, "id", json_object_new_int(i));
    json_object_object_add(item, "a rather long key of an entry", json_object_new_string("some text with \"quotes\" and / slashes"));
    json_object_object_add(item, "share", json_object_new_double(i / 4.0));
    json_object_array_add(list, item);
  }
  text = json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN);
  back = json_tokener_parse(text);
  printf("%zu bytes, %zu\n", strlen(text), (size_t)json_object_array_length(back));
  json_object_put(back);
  json_object_put(list);
  return 0;
}
