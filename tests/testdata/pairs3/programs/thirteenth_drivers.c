/* One of several libraries, chosen by a macro (pairs_thirteenth.toml). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_TOMLC99
#include "toml.h"

static char text[1 << 17];

/* A long file of settings with many short strings. */
int main(void) {
  char error[200];
  size_t used = 0;
  int i;
  toml_table_t *settings;
  for (i = 0; i < 40; ++i) {
    int k;
    used += (size_t)sprintf(text + used, "[station%d]\n", i);
    for (k = 0; k < 20; ++k) used += (size_t)sprintf(text + used, "field%d = \"value %d of %d\"\n", k, k, i);
  }
  settings = toml_parse(text, error, sizeof error);
  if (!settings) return 1;
  printf("%zu characters, %d tables\n", used, toml_table_ntab(settings));
  toml_free(settings);
  return 0;
}
#endif

#ifdef USE_XXHASH
#include "xxhash.h"

static unsigned char blocks[1 << 16];

/* Sums of blocks, each at once or by the record of twelve bytes. */
int main(void) {
  unsigned long long sum = 0;
  unsigned noise = 1;
  size_t i;
  int round;
  for (i = 0; i < sizeof blocks; ++i) {
    noise = noise * 1103515245u + 12345u;
    blocks[i] = (unsigned char)(noise >> 16);
  }
  for (round = 0; round < 12; ++round) {
    const size_t length = sizeof blocks - 16 - (size_t)round;
#ifdef BY_RECORD
    XXH64_state_t *state = XXH64_createState();
    XXH64_reset(state, (unsigned)round);
    for (i = 0; i < length; i += 12) XXH64_update(state, blocks + i, length - i < 12 ? length - i : 12);
    sum ^= XXH64_digest(state);
    XXH64_freeState(state);
#else
    sum ^= XXH64(blocks, length, (unsigned)round);
#endif
  }
  printf("%llx\n", sum);
  return 0;
}
#endif

#ifdef USE_SAMPLERATE
#include "samplerate.h"

static float in[3000], out[4000];

/* A tone from 44.1 to 48 kHz. */
int main(void) {
  SRC_DATA data;
  double sum = 0;
  int i;
  for (i = 0; i < 3000; ++i) in[i] = (float)((i * 37 % 200) - 100) / 128;
  memset(&data, 0, sizeof data);
  data.data_in = in;
  data.data_out = out;
  data.input_frames = 3000;
  data.output_frames = 4000;
  data.src_ratio = 48.0 / 44.1;
  if (src_simple(&data, CONVERTER, 1) != 0) return 1;
  for (i = 0; i < data.output_frames_gen; ++i) sum += out[i] * (i % 7);
  printf("%ld frames, %.3f\n", data.output_frames_gen, sum);
  return 0;
}
#endif

#ifdef USE_QHULL
#include "libqhull_r/libqhull_r.h"

static coordT points[900 * 3];

/* The convex hull of points near a sphere. */
int main(void) {
  qhT storage, *qh = &storage;
  unsigned noise = 7;
  int i, left, over;
  char command[] = COMMAND;
  for (i = 0; i < 900; ++i) {
    double x, y, z, length;
    do {
      noise = noise * 1664525u + 1013904223u;
      x = (double)(noise >> 16) / 32768 - 1;
      noise = noise * 1664525u + 1013904223u;
      y = (double)(noise >> 16) / 32768 - 1;
      noise = noise * 1664525u + 1013904223u;
      z = (double)(noise >> 16) / 32768 - 1;
      length = x * x + y * y + z * z;
    } while (length > 1 || length < 0.5);
    points[i * 3] = x, points[i * 3 + 1] = y, points[i * 3 + 2] = z;
  }
  qh_zero(qh, stderr);
  if (qh_new_qhull(qh, 3, 900, points, 0, command, NULL, stderr)) return 1;
  printf("%d facets\n", qh->num_facets);
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &left, &over);
  return 0;
}
#endif
