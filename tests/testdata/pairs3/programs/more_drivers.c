/* One of several libraries, chosen by a macro. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_TINYSCHEME
#include "scheme.h"
#include "script.h"
int main(void) {
  scheme *sc = scheme_init_new();
  scheme_set_output_port_file(sc, stdout);
  scheme_load_string(sc, script);
  scheme_deinit(sc);
  return 0;
}
#endif

#ifdef USE_TCC
#include "libtcc.h"
#ifndef NESTED
#define NESTED 1
#endif
static char source[200000];
int main(void) {
  TCCState *state = tcc_new();
  size_t used = 0;
  int i, j;
  tcc_set_output_type(state, TCC_OUTPUT_OBJ);
  for (i = 0; i < 60; ++i) {
    used += (size_t)sprintf(source + used, "int value_%d; int step_%d(int first, int second) {\n  int result = first * %d + second;\n", i, i, i + 3);
    for (j = 0; j < 6; ++j) {
      int level;
      used += (size_t)sprintf(source + used, "  if (result > %d && second != %d) result = ", j * 10, j);
      for (level = 0; level < NESTED; ++level) used += (size_t)sprintf(source + used, "(");
      used += (size_t)sprintf(source + used, "first + result");
      for (level = 0; level < NESTED; ++level) used += (size_t)sprintf(source + used, ")");
      used += (size_t)sprintf(source + used, " * (second - %d) / (value_%d | 1);\n", j, i);
    }
    used += (size_t)sprintf(source + used, "  return result;\n}\n");
  }
  i = tcc_compile_string(state, source);
  printf("%d, %zu bytes\n", i, used);
  tcc_delete(state);
  return 0;
}
#endif

#ifdef USE_MXML
#include <mxml.h>
int main(void) {
  static char text[200000], out[300000];
  size_t used = (size_t)sprintf(text, "<?xml version=\"1.0\"?><records>");
  int i, found = 0, length;
  mxml_node_t *tree;
  for (i = 0; i < 120; ++i)
    used += (size_t)sprintf(text + used, "<record kind=\"k%d\" id=\"r%d\" state=\"open\">The text of record %d &amp; what it says, at some length, of state %d.</record>\n", i % 7, i, i, i * 31 % 17);
  for (i = 0; i < 300; ++i) used += (size_t)sprintf(text + used, i ? "word%d " : "<tail>word%d ", i);
  sprintf(text + used, "</tail></records>");
  tree = mxmlLoadString(NULL, text, MXML_OPAQUE_CALLBACK);
  if (!tree) return 1;
#ifdef FIND_EACH
  for (i = 0; i < 100; ++i) {
    char id[20];
    sprintf(id, "r%d", i);
    found += mxmlFindElement(tree, tree, "record", "id", id, MXML_DESCEND) != NULL;
  }
#else
  {
    mxml_index_t *index = mxmlIndexNew(tree, "record", "id");
    for (i = 0; i < 100; ++i) {
      char id[20];
      sprintf(id, "r%d", i);
      mxmlIndexReset(index);
      found += mxmlIndexFind(index, "record", id) != NULL;
    }
    mxmlIndexDelete(index);
  }
#endif
  for (i = 0; i < 20; ++i) {
    char id[20];
    sprintf(id, "r%d", i * 5);
    found += mxmlFindElement(tree, tree, "record", "id", id, MXML_DESCEND) != NULL;
  }
  length = mxmlSaveString(tree, out, sizeof out, MXML_NO_CALLBACK);
  mxmlDelete(tree);
  printf("%d %d\n", found, length);
  return 0;
}
#endif

#ifdef USE_HIREDIS_READER
#include "hiredis.h"
#include "read.h"
#ifndef PIECE
#define PIECE 4096
#endif
static long long sum;
static void *on_string(const redisReadTask *task, char *text, size_t size) { (void)task; (void)text; sum += (long long)size; return &sum; }
static void *on_array(const redisReadTask *task, int size) { (void)task; sum += size; return &sum; }
static void *on_integer(const redisReadTask *task, long long value) { (void)task; sum += value; return &sum; }
static void *on_nil(const redisReadTask *task) { (void)task; return &sum; }
static void on_free(void *object) { (void)object; }
int main(void) {
  static redisReplyObjectFunctions functions = {on_string, on_array, on_integer, on_nil, on_free};
  static char text[60000];
  redisReader *reader = redisReaderCreateWithFunctions(&functions);
  size_t used = 0, at;
  int i, replies = 0;
  for (i = 0; i < 600; ++i) {
    int value = i * 7919;
    char digits[20];
    int size = sprintf(digits, "value %d", value);
    used += (size_t)sprintf(text + used, "*3\r\n:%d\r\n$%d\r\n%s\r\n+OK, as it was asked for\r\n", value, size, digits);
  }
  for (at = 0; at < used; at += PIECE) {
    void *reply = NULL;
    redisReaderFeed(reader, text + at, used - at < PIECE ? used - at : PIECE);
    do {
      if (redisReaderGetReply(reader, &reply) != REDIS_OK) return 1;
      replies += reply != NULL;
    } while (reply);
  }
  redisReaderFree(reader);
  printf("%d %lld\n", replies, sum);
  return 0;
}
#endif

#ifdef USE_PICOSAT
#include "picosat.h"
#ifndef HOLES
#define HOLES 6
#endif
int main(void) {
  PicoSAT *sat = picosat_init();
  int pigeon, other, hole, result;
  for (pigeon = 0; pigeon <= HOLES; ++pigeon) {
    for (hole = 1; hole <= HOLES; ++hole) picosat_add(sat, pigeon * HOLES + hole);
    picosat_add(sat, 0);
  }
  for (hole = 1; hole <= HOLES; ++hole)
    for (pigeon = 0; pigeon <= HOLES; ++pigeon)
      for (other = 0; other < pigeon; ++other) {
        picosat_add(sat, -(pigeon * HOLES + hole));
        picosat_add(sat, -(other * HOLES + hole));
        picosat_add(sat, 0);
      }
  result = picosat_sat(sat, -1);
  printf("%d\n", result);
  picosat_reset(sat);
  return 0;
}
#endif

#ifdef USE_LIBDEFLATE
#include "libdeflate.h"
#ifndef LEVEL
#define LEVEL 6
#endif
int main(void) {
  static char text[60000], packed[70000], back[60000];
  size_t used = 0, size = 0;
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  while (used + 60 < sizeof text) used += (size_t)sprintf(text + used, "entry %zu of the log, state %zu\n", used % 613, used % 7);
  size = libdeflate_gzip_compress(compressor, text, used, packed, sizeof packed);
  if (libdeflate_gzip_decompress(decompressor, packed, size, back, used, NULL) != LIBDEFLATE_SUCCESS) return 1;
  libdeflate_free_compressor(compressor);
  libdeflate_free_decompressor(decompressor);
  printf("%zu -> %zu\n", used, size);
  return 0;
}
#endif

#ifdef USE_STB
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBIW_MALLOC(size) malloc(size)
#define STBIW_REALLOC(block, size) realloc(block, size)
#define STBIW_FREE(block) free(block)
#include "stb_image_write.h"
int main(void) {
  static unsigned char pixels[64 * 48 * 3];
  int i, size = 0;
  unsigned char *png;
  for (i = 0; i < (int)sizeof pixels; ++i) pixels[i] = (unsigned char)((i / 7) * (i % 192) / 50 + (i % 3) * 40);
#ifdef QUALITY
  stbi_write_png_compression_level = QUALITY;
#endif
#ifdef FILTER
  stbi_write_force_png_filter = FILTER;
#endif
  png = stbi_write_png_to_mem(pixels, 64 * 3, 64, 48, 3, &size);
  printf("%d\n", size);
  free(png);
  return 0;
}
#endif

#ifdef USE_DUKTAPE
#include "duktape.h"
#include "script.h"
int main(void) {
  duk_context *context = duk_create_heap_default();
  if (duk_peval_string(context, script)) printf("error: ");
  printf("%s\n", duk_safe_to_string(context, -1));
  duk_destroy_heap(context);
  return 0;
}
#endif
