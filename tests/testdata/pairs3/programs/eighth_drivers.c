/* One of several libraries, chosen by a macro (pairs_eighth.toml). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 20];

#ifdef USE_PARSON
#include "parson.h"
int main(void) {
  size_t used = 0, bytes = 0;
  long sum = 0;
  int i, j;
  char key[40];
  JSON_Value *root;
  used += (size_t)sprintf(text + used, "{");
  for (i = 0; i < 220; ++i) {
    used += (size_t)sprintf(text + used, "%s\"station_%03d\": {\"name\": \"Station %d\", \"height\": %d, \"lines\": [", i ? "," : "", i, i, i * 7);
    for (j = 0; j < 4; ++j) used += (size_t)sprintf(text + used, "%s%d", j ? "," : "", i * j);
    used += (size_t)sprintf(text + used, "]}");
  }
  sprintf(text + used, "}");
  root = json_parse_string(text);
  for (i = 0; i < LOOKUPS; ++i) {
    sprintf(key, "station_%03d", i * 37 % 220);
    sum += (long)json_object_get_number(json_object_get_object(json_object(root), key), "height");
  }
  for (i = 0; i < WRITTEN; ++i) {
    char *written = json_serialize_to_string(root);
    bytes += strlen(written);
    json_free_serialized_string(written);
  }
  printf("%ld %zu\n", sum, bytes);
  json_value_free(root);
  return 0;
}
#endif

#ifdef USE_INIH
#include "ini.h"
static long seen;
static int on_entry(void *user, const char *section, const char *name, const char *value) {
  (void)user;
  seen += section[0] + name[0] * 3 + atoi(value);
  return 1;
}
int main(void) {
  size_t used = 0;
  int i;
  for (i = 0; i < 1500; ++i) {
    if (i % 12 == 0) used += (size_t)sprintf(text + used, "[section of the settings %d]\n", i / 12);
    used += (size_t)sprintf(text + used, "a_setting_with_a_name_%d = %d, and some words of text after it\n", i, i * 3);
  }
  i = ini_parse_string(text, on_entry, NULL);
  printf("%d %ld\n", i, seen);
  return 0;
}
#endif

#ifdef USE_KSEQ
#include "kseq.h"
typedef struct { const char *at; size_t left; } source;
static int pour(source *from, unsigned char *to, int size) {
  size_t part = from->left < (size_t)size ? from->left : (size_t)size;
  memcpy(to, from->at, part);
  from->at += part;
  from->left -= part;
  return (int)part;
}
KSTREAM_INIT(source *, pour, 4096)
static long read_columns(kstream_t *stream) {
  kstring_t column = {0, 0, NULL};
  long sum = 0;
  int last;
  while (ks_getuntil(stream, ';', &column, &last) >= 0) sum += (long)column.l + column.s[0];
  free(column.s);
  return sum;
}
int main(void) {
  size_t used = 0;
  int i;
  source from;
  kstream_t *stream;
  for (i = 0; i < 4000; ++i) used += (size_t)sprintf(text + used, "a column of the table, number %d, and with some text in it: %d;", i, i * i);
  from.at = text;
  from.left = used;
  stream = ks_init(&from);
  printf("%ld\n", read_columns(stream));
  ks_destroy(stream);
  return 0;
}
#endif

#ifdef USE_SDS
#include "sds.h"
static sds describe(int i, const char *name) {
  return sdscatfmt(sdsempty(), "user %s has number %i, score %u and rank %U among the others of %s;", name, i, (unsigned)i * 7u, (unsigned long long)i * 1001u, name);
}
int main(void) {
  size_t bytes = 0, joined;
  int i;
  sds all = sdsempty();
  for (i = 0; i < 2500; ++i) {
    sds one = describe(i, i % 3 ? "somebody" : "a user with a longer name");
    bytes += sdslen(one);
    if (i % 50 == 0) all = sdscatsds(all, one);
    sdsfree(one);
  }
  joined = sdslen(all);
  sdsfree(all);
  printf("%zu %zu\n", bytes, joined);
  return 0;
}
#endif

#ifdef USE_WREN
#include "wren.h"
#include "script.h"
static void on_write(WrenVM *vm, const char *part) {
  (void)vm;
  fputs(part, stdout);
}
static void on_error(WrenVM *vm, WrenErrorType type, const char *module, int line, const char *message) {
  (void)vm, (void)type;
  fprintf(stderr, "%s:%d: %s\n", module ? module : "", line, message);
}
int main(void) {
  WrenConfiguration configuration;
  WrenVM *vm;
  int result;
  wrenInitConfiguration(&configuration);
  configuration.writeFn = on_write;
  configuration.errorFn = on_error;
  vm = wrenNewVM(&configuration);
  result = wrenInterpret(vm, "main", script);
  wrenFreeVM(vm);
  return result;
}
#endif

#ifdef USE_LMDB
#include <unistd.h>
#include "lmdb.h"
#ifndef PUT_FLAGS
#define PUT_FLAGS 0
#endif
static int store_records(MDB_env *env, MDB_dbi table, int count) {
  MDB_txn *transaction = NULL;
  char key[32], value[64];
  int i, failed = 0;
  mdb_txn_begin(env, NULL, 0, &transaction);
  for (i = 0; i < count; ++i) {
    MDB_val k, v;
    k.mv_size = (size_t)sprintf(key, "record-%07d", i);
    v.mv_size = (size_t)sprintf(value, "the value of record %d", i);
    k.mv_data = key;
    v.mv_data = value;
    failed += mdb_put(transaction, table, &k, &v, PUT_FLAGS) != 0;
#ifdef COMMIT_EACH
    mdb_txn_commit(transaction);
    mdb_txn_begin(env, NULL, 0, &transaction);
#endif
  }
  mdb_txn_commit(transaction);
  return failed;
}
static long read_records(MDB_env *env, MDB_dbi table, int count) {
  MDB_txn *transaction = NULL;
  char key[32];
  long bytes = 0;
  int i;
  mdb_txn_begin(env, NULL, MDB_RDONLY, &transaction);
  for (i = 0; i < count; ++i) {
    MDB_val k, v;
    k.mv_size = (size_t)sprintf(key, "record-%07d", i * 7 % count);
    k.mv_data = key;
    if (mdb_get(transaction, table, &k, &v) == 0) bytes += (long)v.mv_size;
  }
  mdb_txn_abort(transaction);
  return bytes;
}
int main(void) {
  MDB_env *env;
  MDB_dbi table;
  MDB_txn *transaction;
  int failed;
  unlink("records.mdb");
  unlink("records.mdb-lock");
  mdb_env_create(&env);
  mdb_env_set_mapsize(env, 1 << 24);
  if (mdb_env_open(env, "records.mdb", MDB_NOSUBDIR | MDB_NOSYNC | MDB_NOLOCK, 0600) != 0) return 1;
  mdb_txn_begin(env, NULL, 0, &transaction);
  mdb_dbi_open(transaction, NULL, 0, &table);
  mdb_txn_commit(transaction);
  failed = store_records(env, table, RECORDS);
  printf("%d %ld\n", failed, read_records(env, table, RECORDS));
  mdb_env_close(env);
  unlink("records.mdb");
  return 0;
}
#endif

#ifdef USE_GIF
#include "gif_lib.h"
static size_t used;
static int keep(GifFileType *file, const GifByteType *bytes, int size) {
  (void)file;
  memcpy(text + used, bytes, (size_t)size);
  used += (size_t)size;
  return size;
}
int main(void) {
  static GifPixelType line[160];
  GifColorType colours[256];
  GifFileType *file;
  ColorMapObject *map;
  unsigned noise = 7;
  int error = 0, x, y;
  for (x = 0; x < 256; ++x) colours[x].Red = colours[x].Green = colours[x].Blue = (GifByteType)x;
  map = GifMakeMapObject(256, colours);
  file = EGifOpen(NULL, keep, &error);
  EGifPutScreenDesc(file, 160, 160, 8, 0, map);
  EGifPutImageDesc(file, 0, 0, 160, 160, 0, NULL);
  for (y = 0; y < 160; ++y) {
    for (x = 0; x < 160; ++x) {
      noise = noise * 1103515245u + 12345u;
      line[x] = (GifPixelType)((x / 4 + y / 3) * 2 + (noise >> 16 & 3));
    }
    EGifPutLine(file, line, 160);
  }
  EGifCloseFile(file, &error);
  GifFreeMapObject(map);
  printf("%zu\n", used);
  return 0;
}
#endif

#ifdef USE_KISSFFT
#include "kiss_fft.h"
#ifndef LENGTH
#define LENGTH 512
#endif
static kiss_fft_cfg plan;
static double loudest(const kiss_fft_cpx *samples, kiss_fft_cpx *spectrum) {
  double most = 0;
  int i;
  kiss_fft(plan, samples, spectrum);
  for (i = 1; i < LENGTH / 2; ++i) {
    const double power = spectrum[i].r * spectrum[i].r + spectrum[i].i * spectrum[i].i;
    if (power > most) most = power;
  }
  return most;
}
int main(void) {
  static kiss_fft_cpx samples[LENGTH], spectrum[LENGTH];
  double sum = 0;
  int i, block;
  plan = kiss_fft_alloc(LENGTH, 0, NULL, NULL);
  for (block = 0; block < 12; ++block) {
    for (i = 0; i < LENGTH; ++i) {
      samples[i].r = (float)((i * (block + 3)) % 64) / 64.0f - 0.5f;
      samples[i].i = 0;
    }
    sum += loudest(samples, spectrum);
  }
  printf("%.3f\n", sum);
  free(plan);
  return 0;
}
#endif

#ifdef USE_ONIG
#include "oniguruma.h"
#ifndef PATTERN
#define PATTERN "(?:warning|error): (?:[a-z]+ )*line [0-9]+"
#endif
#ifndef OPTIONS
#define OPTIONS ONIG_OPTION_DEFAULT
#endif
static int count_messages(regex_t *expression, const char *from, const char *end) {
  OnigRegion *region = onig_region_new();
  const char *at = from;
  int count = 0;
  while (onig_search(expression, (const OnigUChar *)from, (const OnigUChar *)end, (const OnigUChar *)at, (const OnigUChar *)end, region, ONIG_OPTION_NONE) >= 0) {
    ++count;
    at = from + region->end[0];
  }
  onig_region_free(region, 1);
  return count;
}
int main(void) {
  OnigEncoding encodings[] = {ONIG_ENCODING_ASCII};
  const char *pattern = PATTERN;
  regex_t *expression;
  OnigErrorInfo information;
  size_t used = 0;
  int i;
  for (i = 0; i < 700; ++i) used += (size_t)sprintf(text + used, "%s: something of the text at line %d of the file\n", i % 3 ? "note" : i % 2 ? "warning" : "error", i);
  onig_initialize(encodings, 1);
  if (onig_new(&expression, (const OnigUChar *)pattern, (const OnigUChar *)pattern + strlen(pattern), OPTIONS, ONIG_ENCODING_ASCII, ONIG_SYNTAX_DEFAULT, &information) != ONIG_NORMAL) return 1;
  printf("%d\n", count_messages(expression, text, text + used));
  onig_free(expression);
  onig_end();
  return 0;
}
#endif
