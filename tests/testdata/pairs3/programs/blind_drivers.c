/* One of several libraries, chosen by a macro (pairs_seventh.toml). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 20];

#ifdef USE_UTF8PROC
#include "utf8proc.h"
static const char *const parts[] = {"caf\xc3\xa9", "stra\xc3\x9f" "e", "na\xc3\xafve", "\xce\xb1\xce\xb2\xce\xb3", "plain", "\xed\x95\x9c\xea\xb8\x80", "e\xcc\x81t\xc3\xa9"};
typedef struct { char name[48]; char *folded; } entry;
static entry entries[150];

static char *folded(const char *name) { return (char *)utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)name); }
#ifdef FOLDED_EACH
static int by_name(const void *a, const void *b) {
  char *first = folded(((const entry *)a)->name), *second = folded(((const entry *)b)->name);
  int order = strcmp(first, second);
  free(first);
  free(second);
  return order;
}
#else
static int by_name(const void *a, const void *b) { return strcmp(((const entry *)a)->folded, ((const entry *)b)->folded); }
#endif

int main(void) {
  size_t used = 0;
  int i;
  long sum = 0;
  for (i = 0; i < 900; ++i) used += (size_t)sprintf(text + used, "%s %d ", parts[i * 5 % 7], i);
  for (i = 0; i < 8; ++i) {
    utf8proc_uint8_t *normal;
    sum += utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)used, &normal, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    free(normal);
  }
  for (i = 0; i < 150; ++i) {
    sprintf(entries[i].name, "%s %s %d", parts[i * 3 % 7], parts[i % 5], i * 37 % 101);
    entries[i].folded = folded(entries[i].name);
  }
  qsort(entries, 150, sizeof *entries, by_name);
  printf("%ld %s\n", sum, entries[0].name);
  return 0;
}
#endif

#ifdef USE_CDB
#include <fcntl.h>
#include <unistd.h>
#include "cdb.h"
int main(void) {
  struct cdb_make maker;
  struct cdb reader;
  char key[40], value[80];
  int i, found = 0, file = open("records.cdb", O_RDWR | O_CREAT | O_TRUNC, 0600);
  cdb_make_start(&maker, file);
  for (i = 0; i < 9000; ++i) {
    unsigned key_size = (unsigned)sprintf(key, "record-%d", i * 7919 % 9001), value_size = (unsigned)sprintf(value, "value %d of record", i);
#ifdef CHECKED_INSERT
    cdb_make_put(&maker, key, key_size, value, value_size, CDB_PUT_INSERT);
#else
    cdb_make_add(&maker, key, key_size, value, value_size);
#endif
  }
  cdb_make_finish(&maker);
  cdb_init(&reader, file);
  for (i = 0; i < 3000; ++i) found += cdb_find(&reader, key, (unsigned)sprintf(key, "record-%d", i * 5)) > 0;
  printf("%d\n", found);
  cdb_free(&reader);
  close(file);
  unlink("records.cdb");
  return 0;
}
#endif

#ifdef USE_LODEPNG
#include "lodepng.h"
int main(void) {
  static unsigned char image[72 * 72 * 3];
  unsigned char *png = NULL;
  size_t size = 0, i;
  unsigned noise = 1;
  for (i = 0; i < sizeof image; ++i) {
    noise = noise * 1103515245u + 12345u;
    image[i] = (unsigned char)((i / 3 % 72) * 2 + (i / 216) + (noise >> 16 & 15));
  }
  i = lodepng_encode24(&png, &size, image, 72, 72);
  printf("%zu %zu\n", i, size);
  free(png);
  return 0;
}
#endif

#ifdef USE_TRE
#include "tre.h"
#ifndef LINES
#define LINES 120
#endif
int main(void) {
  static const char *const patterns[] = {"error: (.*) at line ([0-9]+)", "^[a-z]+=(true|false|[0-9]+)$", "(foo|bar|needle)+ [a-z]*x"};
  char line[160];
  int i, p, hits = 0;
  for (p = 0; p < 3; ++p) {
    regex_t compiled;
    regmatch_t groups[3];
    if (tre_regcomp(&compiled, patterns[p], REG_EXTENDED)) return 1;
    for (i = 0; i < LINES; ++i) {
      if (i % 3 == 0) sprintf(line, "program %d: error: no such file or folder at line %d of the input", i, i * 17);
      else if (i % 3 == 1) sprintf(line, "setting=%d", i * i);
      else sprintf(line, "some words, and then foobarneedle abc%dx and what follows it", i);
      hits += tre_regexec(&compiled, line, 3, groups, 0) == 0;
    }
    tre_regfree(&compiled);
  }
  printf("%d\n", hits);
  return 0;
}
#endif

#ifdef USE_CCD
#include <ccd/ccd.h>
#include <ccd/vec3.h>
typedef struct { ccd_vec3_t at; double half[3]; } box;
static void support(const void *of, const ccd_vec3_t *direction, ccd_vec3_t *out) {
  const box *one = of;
  int i;
  for (i = 0; i < 3; ++i) out->v[i] = one->at.v[i] + (direction->v[i] < 0 ? -one->half[i] : one->half[i]);
}
static void center(const void *of, ccd_vec3_t *out) { *out = ((const box *)of)->at; }
int main(void) {
  static box boxes[90];
  ccd_t settings;
  int i, j, hits = 0;
  CCD_INIT(&settings);
  settings.support1 = settings.support2 = support;
  settings.center1 = settings.center2 = center;
  settings.max_iterations = 100;
  for (i = 0; i < 90; ++i)
    for (j = 0; j < 3; ++j) {
      boxes[i].at.v[j] = (i * (j * 31 + 17)) % 23 + 0.1 * j;
      boxes[i].half[j] = 1 + (i + j) % 4 * 0.7;
    }
  for (i = 0; i < 90; ++i)
    for (j = 0; j < i; ++j)
#ifdef BY_GJK
      hits += ccdGJKIntersect(&boxes[i], &boxes[j], &settings) != 0;
#else
      hits += ccdMPRIntersect(&boxes[i], &boxes[j], &settings) != 0;
#endif
  printf("%d\n", hits);
  return 0;
}
#endif

#ifdef USE_GSM
#include "gsm.h"
int main(void) {
  gsm coder = gsm_create();
  gsm_signal samples[160];
  gsm_frame frame;
  unsigned sum = 0, noise = 7;
  int i, j;
  for (i = 0; i < 40; ++i) {
    for (j = 0; j < 160; ++j) {
      noise = noise * 1103515245u + 12345u;
      samples[j] = (gsm_signal)(((i * 160 + j) * 37 % 4000 - 2000) * 3 + (int)(noise >> 20));
    }
    gsm_encode(coder, samples, frame);
    for (j = 0; j < 33; ++j) sum = sum * 31 + frame[j];
  }
  printf("%u\n", sum);
  gsm_destroy(coder);
  return 0;
}
#endif

#ifdef USE_ZOPFLI
#include "zopfli.h"
int main(void) {
  ZopfliOptions options;
  unsigned char *out = NULL;
  size_t used = 0, size = 0;
  int i;
  ZopfliInitOptions(&options);
  options.numiterations = 4;
  options.blocksplitting = 0;
  for (i = 0; i < 70; ++i) used += (size_t)sprintf(text + used, "line %d: %s follows %d\n", i, i % 3 ? "a short text" : "another text that", i * i % 977);
  ZopfliCompress(&options, ZOPFLI_FORMAT_ZLIB, (const unsigned char *)text, used, &out, &size);
  printf("%zu -> %zu\n", used, size);
  free(out);
  return 0;
}
#endif

#ifdef USE_JBIG
#include "jbig.h"
#ifndef OPTIONS
#define OPTIONS (JBG_TPBON)
#endif
static size_t bytes;
static void written(unsigned char *start, size_t size, void *file) { (void)start; (void)file; bytes += size; }
int main(void) {
  static unsigned char plane[480 * 60];
  unsigned char *planes[1] = {plane};
  struct jbg_enc_state state;
  int x, y;
  for (y = 0; y < 480; ++y)
    for (x = 0; x < 60; ++x)
      plane[y * 60 + x] = y / 8 % 5 == 0 ? (unsigned char)((x * 37 + y / 8 * 11) * 5) : 0;
  jbg_enc_init(&state, 480, 480, 1, planes, written, NULL);
  jbg_enc_options(&state, 0, OPTIONS, 0, 8, 0);
  jbg_enc_out(&state);
  jbg_enc_free(&state);
  printf("%zu\n", bytes);
  return 0;
}
#endif

#ifdef USE_MSGPACK
#include <msgpack.h>
int main(void) {
  msgpack_sbuffer buffer;
  msgpack_packer packer;
  msgpack_unpacked unpacked;
  size_t offset = 0;
  int i, j, read = 0;
  msgpack_sbuffer_init(&buffer);
  msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
  for (i = 0; i < 250; ++i) {
    msgpack_pack_map(&packer, 6);
    for (j = 0; j < 6; ++j) {
      char key[20];
      size_t size = (size_t)sprintf(key, "field-%d", j);
      msgpack_pack_str(&packer, size);
      msgpack_pack_str_body(&packer, key, size);
      msgpack_pack_array(&packer, 3);
      msgpack_pack_int(&packer, i);
      msgpack_pack_double(&packer, i * 0.5);
      msgpack_pack_int(&packer, j * i);
    }
  }
  msgpack_unpacked_init(&unpacked);
  while (msgpack_unpack_next(&unpacked, buffer.data, buffer.size, &offset) == MSGPACK_UNPACK_SUCCESS) read += (int)unpacked.data.via.map.size;
  printf("%d %zu\n", read, buffer.size);
  msgpack_unpacked_destroy(&unpacked);
  msgpack_sbuffer_destroy(&buffer);
  return 0;
}
#endif

#ifdef USE_MD4C
#include "md4c.h"
#include "md4c-html.h"
static size_t bytes;
static void written(const MD_CHAR *part, MD_SIZE size, void *data) { (void)part; (void)data; bytes += size; }
int main(void) {
  size_t used = 0;
  int i;
  for (i = 0; i < 300; ++i)
    used += (size_t)sprintf(text + used, "%sparagraph number %d has some *emphasis*, a [link](http://example.org/%d) and plain words that go on to its end\n\n", i % 10 ? "" : "# ", i, i);
  i = md_html(text, (MD_SIZE)used, written, NULL, MD_FLAG_SPOILERS | MD_FLAG_TABLES, 0);
  printf("%d %zu\n", i, bytes);
  return 0;
}
#endif

#ifdef USE_UTHASH
#include "uthash.h"
#include "utlist.h"
typedef struct word { char name[24]; int count; UT_hash_handle hh; struct word *next; } word;
static word *words, *order;

__attribute__((noinline)) static void remember(word *one) {
#ifdef AT_END
  LL_APPEND(order, one);
#else
  LL_PREPEND(order, one);
#endif
}

__attribute__((noinline)) static void count_word(const char *name) {
  word *one;
  HASH_FIND_STR(words, name, one);
  if (!one) {
    one = calloc(1, sizeof *one);
    strcpy(one->name, name);
    HASH_ADD_STR(words, name, one);
    remember(one);
  }
  ++one->count;
}

int main(void) {
  char name[24];
  word *one;
  int i, sum = 0;
  for (i = 0; i < 9000; ++i) {
    sprintf(name, "word-%d", i * 7919 % 1300);
    count_word(name);
  }
  LL_FOREACH(order, one) sum = sum * 31 + one->count;
  printf("%d %u\n", sum, HASH_COUNT(words));
  return 0;
}
#endif

#ifdef USE_JSMN
#include "jsmn.h"
static jsmntok_t tokens[20000];
int main(void) {
  size_t used = (size_t)sprintf(text, "{");
  int i, count;
  jsmn_parser parser;
  for (i = 0; i < 400; ++i)
    used += (size_t)sprintf(text + used, "%s\"key%d\": {\"id\": %d, \"name\": \"name of %d\", \"tags\": [1, 2, 3], \"on\": true}", i ? ", " : "", i, i, i);
  used += (size_t)sprintf(text + used, "}");
  jsmn_init(&parser);
  count = jsmn_parse(&parser, text, used, tokens, 20000);
  printf("%d\n", count);
  return 0;
}
#endif

#ifdef USE_LIBCONFIG
#include "libconfig.h"
int main(void) {
  config_t config;
  size_t used = 0;
  int i, sum = 0, value;
  char path[40];
  for (i = 0; i < 60; ++i) used += (size_t)sprintf(text + used, "setting_%d : { limit = %d; name = \"of %d\"; };\n", i, i * 3, i);
  config_init(&config);
  if (!config_read_string(&config, text)) return 1;
  for (i = 0; i < 240; ++i) {
    sprintf(path, "setting_%d.limit", i * 7 % 60);
    if (config_lookup_int(&config, path, &value)) sum += value;
  }
  printf("%d\n", sum);
  config_destroy(&config);
  return 0;
}
#endif
