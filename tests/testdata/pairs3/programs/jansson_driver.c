/* Builds, dumps and loads a document. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "jansson.h"

#ifndef DUMP_FLAGS
#define DUMP_FLAGS JSON_COMPACT
#endif

int main(void) {
  json_t *root = json_object(), *back;
  json_error_t error;
  char key[40], *text;
  int i, same = 1;
  json_object_seed(1234567);
  for (i = 0; i < 300; ++i) {
    json_t *entry = json_object();
    sprintf(key, "entry-%d", (i * 37) % 1000);
    json_object_set_new(entry, "number", json_integer(i));
    json_object_set_new(entry, "text", json_string("some text, \"quoted\""));
    json_object_set_new(root, key, entry);
  }
  text = json_dumps(root, DUMP_FLAGS);
  back = json_loads(text, 0, &error);
  for (i = 0; i < 300; ++i) {
    sprintf(key, "entry-%d", (i * 37) % 1000);
    same &= json_equal(json_object_get(root, key), json_object_get(back, key));
  }
  printf("%zu bytes, %d\n", strlen(text), same);
  free(text);
  json_decref(root);
  json_decref(back);
  return 0;
}
