/* Multiplies large numbers and writes them in decimal. */
#include <stdio.h>
#include "tommath.h"

int main(void) {
  mp_int a, b, c;
  char text[200];
  int i;
  mp_init_multi(&a, &b, &c, NULL);
  mp_set_u32(&a, 3);
  mp_expt_u32(&a, 9000, &b);
  for (i = 0; i < 6; ++i) {
    mp_add_d(&b, i, &a);
    mp_mul(&a, &b, &c);
  }
  mp_mod_d(&c, 1000000007, (mp_digit *)&i);
  mp_set_u32(&a, 7);
  mp_expt_u32(&a, 60, &b);
  mp_to_radix(&b, text, sizeof text, NULL, 10);
  printf("%d %s\n", i, text);
  mp_clear_multi(&a, &b, &c, NULL);
  return 0;
}
