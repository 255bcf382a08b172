/* One of several libraries, chosen by a macro (pairs_eleventh.toml). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_UCL_EMIT
#include "ucl.h"

static char text[1 << 17];

/* Settings of many hosts, read and written as JSON. */
int main(void) {
  size_t used = 0, written = 0;
  int i, round;
  for (i = 0; i < HOSTS; ++i)
    used += (size_t)sprintf(text + used,
                            "host%d { address = \"10.0.%d.%d\"; comment = \"the host number %d stands in the second row of the large hall, beside the door\"; "
                            "motto = \"%s and nothing else, as long as the lamps are lit and the wind is low\"; port = %d; }\n",
                            i, i / 200, i % 200, i, i % 3 ? "come what may" : "slow and steady", 1000 + i);
  for (round = 0; round < 5; ++round) {
    UT_string *failure = NULL;
    struct ucl_parser *parser = ucl_parser_new(0);
    ucl_object_t *top;
    unsigned char *json;
    if (!ucl_parser_add_chunk(parser, (const unsigned char *)text, used, &failure)) return 1;
    top = ucl_parser_get_object(parser, &failure);
    json = ucl_object_emit(top, UCL_EMIT_JSON);
    written += strlen((char *)json);
    free(json);
    ucl_obj_unref(top);
  }
  printf("%zu -> %zu\n", used, written);
  return 0;
}
#endif

#ifdef USE_UCL_HASH
#include "ucl.h"

static char text[1 << 17];

/* A flat table of settings, each of them asked for. */
int main(void) {
  size_t used = 0;
  long sum = 0;
  int i, round;
  char key[64];
  struct ucl_parser *parser = ucl_parser_new(0);
  ucl_object_t *top;
  for (i = 0; i < SETTINGS; ++i) used += (size_t)sprintf(text + used, "setting-of-the-service-number-%d = %d;\n", i, i * 3);
  if (!ucl_parser_add_chunk(parser, (const unsigned char *)text, used)) return 1;
  top = ucl_parser_get_object(parser);
  for (round = 0; round < 40; ++round)
    for (i = 0; i < SETTINGS; ++i) {
      const ucl_object_t *found;
      sprintf(key, "setting-of-the-service-number-%d", (i * 7 + round) % SETTINGS);
      found = ucl_object_find_key(top, key);
      sum += found ? ucl_object_toint(found) : 0;
    }
  printf("%ld\n", sum);
  ucl_object_unref(top);
  ucl_parser_free(parser);
  return 0;
}
#endif

#ifdef USE_JSONC
#include "json.h"

static char text[1 << 17];

/* Readings of many stations: numbers, names and flags. */
int main(void) {
  size_t used = 0, bytes = 0;
  int i, round;
  json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE);
  used += (size_t)sprintf(text + used, "[");
  for (i = 0; i < 250; ++i)
    used += (size_t)sprintf(text + used, "%s{\"station\": \"s%d\", \"open\": %s, \"readings\": [%d, %d, %d, -%d, %d, %d]}", i ? ", " : "", i, i % 3 ? "true" : "false", i * 37, i * 1009,
                            i + 7, i * 3, i * i, 1234567 + i);
  used += (size_t)sprintf(text + used, "]");
  for (round = 0; round < 12; ++round) {
    struct json_object *tree = json_tokener_parse(text);
    if (!tree) return 1;
    bytes += (size_t)json_object_array_length(tree);
    json_object_put(tree);
  }
  printf("%zu %zu\n", used, bytes);
  return 0;
}
#endif

#ifdef USE_SPEEX
#include <math.h>
#include "speex/speex.h"

enum { FRAMES = 30 };

/* Packs a synthetic voice. */
int main(void) {
  SpeexBits bits;
  void *encoder = speex_encoder_init(&speex_nb_mode);
  int quality = 6, complexity = COMPLEXITY, size = 0, frame, i;
  spx_int16_t samples[320];
  char packed[200];
  long sum = 0;
  unsigned noise = 1;
  speex_bits_init(&bits);
  speex_encoder_ctl(encoder, SPEEX_SET_QUALITY, &quality);
  speex_encoder_ctl(encoder, SPEEX_SET_COMPLEXITY, &complexity);
  speex_encoder_ctl(encoder, SPEEX_GET_FRAME_SIZE, &size);
  for (frame = 0; frame < FRAMES; ++frame) {
    int bytes;
    for (i = 0; i < size; ++i) {
      int at = frame * size + i, pulse = at % (60 + frame % 7) - 30;
      noise = noise * 1103515245u + 12345u;
      samples[i] = (spx_int16_t)(pulse * pulse * 6 - 2400 + (int)(noise >> 24));
    }
    speex_bits_reset(&bits);
    speex_encode_int(encoder, samples, &bits);
    bytes = speex_bits_write(&bits, packed, (int)sizeof packed);
    for (i = 0; i < bytes; ++i) sum = (sum * 31 + (unsigned char)packed[i]) % 1000003;
  }
  printf("%ld\n", sum);
  speex_bits_destroy(&bits);
  speex_encoder_destroy(encoder);
  return 0;
}
#endif

#ifdef USE_DIVSUFSORT
#include "divsufsort.h"

enum { LENGTH = 60000 };

static unsigned char text[LENGTH];
static saidx_t suffixes[LENGTH];

/* The suffix array of a text of few words. */
int main(void) {
  static const char *const words[] = {"river ", "bank ", "the ", "of ", "long ", "lamp ", "and ", "ferry ", "ferries ", "th "};
  unsigned noise = 7;
  size_t used = 0;
  long sum = 0;
  int i;
  while (used < LENGTH) {
    const char *word;
    noise = noise * 1103515245u + 12345u;
    for (word = words[(noise >> 16) % 10]; *word && used < LENGTH; ++word) text[used++] = (unsigned char)*word;
  }
  if (divsufsort(text, suffixes, LENGTH) != 0) return 1;
  for (i = 0; i < LENGTH; i += 11) sum = (sum * 31 + suffixes[i]) % 1000003;
  printf("%ld\n", sum);
  return 0;
}
#endif

#ifdef USE_LZO
#include "lzo/lzo1x.h"

enum { BLOCK = 16384, BLOCKS = 24 };

static unsigned char plain[BLOCK], packed[BLOCK + BLOCK / 16 + 67], back[BLOCK];
static lzo_align_t working[(LZO1X_1_MEM_COMPRESS + sizeof(lzo_align_t) - 1) / sizeof(lzo_align_t)];

/* Packs blocks of a journal and reads them again. */
int main(void) {
  unsigned long sum = 0;
  int block;
  if (lzo_init() != LZO_E_OK) return 1;
  for (block = 0; block < BLOCKS; ++block) {
    lzo_uint size = 0, got = BLOCK;
    size_t used = 0;
    int i;
    for (i = 0; used + 80 < BLOCK; ++i) used += (size_t)sprintf((char *)plain + used, "entry %d of block %d: the value was %d and the state %s\n", i, block, i * block % 977, i % 5 ? "good" : "poor");
    if (lzo1x_1_compress(plain, used, packed, &size, working) != LZO_E_OK) return 1;
    if (lzo1x_decompress(packed, size, back, &got, NULL) != LZO_E_OK || got != used) return 1;
#ifdef CHECKED_EACH
    if (lzo_adler32(lzo_adler32(0, NULL, 0), back, got) != lzo_adler32(lzo_adler32(0, NULL, 0), plain, used)) return 1;
#endif
    sum += size + back[got / 2];
  }
  printf("%lu\n", sum);
  return 0;
}
#endif

#ifdef USE_GDBM
#include "gdbm.h"

/* Keeps places by their names in a file, and asks for each. */
int main(void) {
  GDBM_FILE file = gdbm_open("places.db", 0, GDBM_NEWDB | GDBM_NOLOCK, 0644, NULL);
  char name[40], where[60];
  long sum = 0;
  int i, round;
  if (!file) return 1;
  for (i = 0; i < 900; ++i) {
    datum key, value;
    key.dptr = name, key.dsize = sprintf(name, "place-%04d", i);
    value.dptr = where, value.dsize = sprintf(where, "row %d, shelf %d", i / 30, i % 30);
    if (gdbm_store(file, key, value, GDBM_INSERT) != 0) return 1;
  }
  for (round = 0; round < 3; ++round)
    for (i = 0; i < 900; ++i) {
      datum key, value;
      key.dptr = name, key.dsize = sprintf(name, "place-%04d", (i * 7 + round) % 900);
      value = gdbm_fetch(file, key);
      sum += value.dptr ? value.dsize : 0;
      free(value.dptr);
    }
  gdbm_close(file);
  printf("%ld\n", sum);
  return 0;
}
#endif

#ifdef USE_DISCOUNT
#include "mkdio.h"

static char text[1 << 16];

/* A long handbook as HTML. */
int main(void) {
  size_t used = 0, bytes = 0;
  int i, round;
  for (i = 0; i < 60; ++i)
    used += (size_t)sprintf(text + used, "Chapter %d\n=========\n\nSome *plain* words, a [link](http://example.org/%d) and `code` here.\nThe paragraph goes on & on, to <somewhere> else.\n\n* first point\n* second point\n\n> a quote of %d\n\n",
                            i, i, i);
  for (round = 0; round < 4; ++round) {
    MMIOT *document = mkd_string(text, (int)used, 0);
    char *html = NULL;
    int size;
    if (!document || !mkd_compile(document, 0)) return 1;
    size = mkd_document(document, &html);
    bytes += (size_t)size;
    mkd_cleanup(document);
  }
  printf("%zu -> %zu\n", used, bytes);
  return 0;
}
#endif
