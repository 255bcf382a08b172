/* Builds, prints and parses a document with any cJSON since 2017; compares it where COMPARE is set. */
#include <stdio.h>
#include <stdlib.h>
#include "cJSON.h"

int main(void) {
  cJSON *list = cJSON_CreateArray(), *back;
  char *text;
  int i;
  for (i = 0; i < 150; ++i) {
    cJSON *item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "id", i * 12345);
    cJSON_AddNumberToObject(item, "count", i % 10);
    cJSON_AddNumberToObject(item, "share", i * 0.25);
    cJSON_AddStringToObject(item, "name", i % 9 ? "a name without any character to escape" : "a \"quoted\"\n name");
    cJSON_AddItemToArray(list, item);
  }
  text = cJSON_PrintUnformatted(list);
  back = cJSON_Parse(text);
#ifdef COMPARE
  if (!cJSON_Compare(list, back, 1)) return 1;
#endif
  printf("%d\n", cJSON_GetArraySize(back));
  free(text);
  cJSON_Delete(list);
  cJSON_Delete(back);
  return 0;
}
