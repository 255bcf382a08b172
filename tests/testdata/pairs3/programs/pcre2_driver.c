/* Matches a pattern against each line. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <stdio.h>
#include <string.h>
#include "pcre2.h"

int main(void) {
  int error, found = 0, i;
  size_t offset;
  char line[100];
  PCRE2_SPTR pattern = (PCRE2_SPTR) "^(\\w+)-(\\d+): (error|warning) in \\[([a-z ]+)\\]$";
  pcre2_code *code = pcre2_compile(pattern, PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
  pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
  for (i = 0; i < 150; ++i) {
    sprintf(line, "line-%d: %s in [some module]", i, i % 3 ? "warning" : "notice");
#ifdef COMPILE_EACH
    pcre2_code_free(code);
    code = pcre2_compile(pattern, PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
#endif
    found += pcre2_match(code, (PCRE2_SPTR)line, strlen(line), 0, 0, data, NULL) > 0;
  }
  printf("%d\n", found);
  pcre2_match_data_free(data);
  pcre2_code_free(code);
  return 0;
}
