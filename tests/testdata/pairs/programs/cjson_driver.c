/* Builds, prints, parses and walks a document. */
#include <stdio.h>
#include <stdlib.h>
#include "cJSON.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif

static cJSON *make_document(void) {
  cJSON *list = cJSON_CreateArray();
  int i;
  for (i = 0; i < 240; ++i) {
    cJSON *item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "id", i);
    cJSON_AddNumberToObject(item, "weight", i * 0.37 + 1.0 / (i + 3));
    cJSON_AddStringToObject(item, "name", i % 5 ? "an ordinary name" : "a \"quoted\"\n name");
    cJSON_AddBoolToObject(item, "open", i & 1);
    cJSON_AddItemToArray(list, item);
  }
  return list;
}

static double walk(const cJSON *list) {
  double sum = 0;
#ifdef BY_INDEX
  int i;
  for (i = 0; i < cJSON_GetArraySize(list); ++i) sum += cJSON_GetObjectItem(cJSON_GetArrayItem(list, i), "id")->valuedouble;
#else
  const cJSON *item;
  cJSON_ArrayForEach(item, list) sum += cJSON_GetObjectItem(item, "id")->valuedouble;
#endif
  return sum;
}

int main(void) {
  cJSON *document = make_document(), *copy;
  char *text = cJSON_PrintUnformatted(document);
  double sum = 0;
  int round;
  copy = cJSON_Parse(text);
  for (round = 0; round < ROUNDS; ++round) sum += walk(copy);
  printf("%.0f %d\n", sum, cJSON_Compare(document, copy, 1));
  free(text);
  cJSON_Delete(document);
  cJSON_Delete(copy);
  return 0;
}
