/* One of several libraries, chosen by a macro (pairs_twelfth.toml). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_CMARK
#include "cmark.h"

static char text[1 << 17];

/* One paragraph of many inlines, deep in block quotes. */
int main(void) {
  size_t used = 0;
  int i;
  cmark_node *document;
  char *written;
  for (i = 0; i < 300; ++i) used += (size_t)sprintf(text + used, "> ");
  for (i = 0; i < 500; ++i) used += (size_t)sprintf(text + used, "some *plain* words and `code` of %d\n", i);
  document = cmark_parse_document(text, used, CMARK_OPT_DEFAULT);
  written = cmark_render_html(document, CMARK_OPT_DEFAULT);
  printf("%zu -> %zu\n", used, strlen(written));
  free(written);
  cmark_node_free(document);
  return 0;
}
#endif

#ifdef USE_EXPAT
#include "expat.h"

static char text[1 << 20];
static long elements, attributes;

static void XMLCALL began(void *data, const XML_Char *name, const XML_Char **atts) {
  (void)data, (void)name;
  ++elements;
  for (; *atts; atts += 2) ++attributes;
}

/* Elements with many attributes that are declared as tokens. */
int main(void) {
  XML_Parser parser = XML_ParserCreate(NULL);
  size_t used = 0;
  int i, j;
  used += (size_t)sprintf(text + used, "<!DOCTYPE list [<!ELEMENT list ANY><!ELEMENT item EMPTY><!ATTLIST item");
  for (i = 0; i < 700; ++i) used += (size_t)sprintf(text + used, " field%d NMTOKEN #IMPLIED", i);
  used += (size_t)sprintf(text + used, ">]><list>");
  for (i = 0; i < 15; ++i) {
    used += (size_t)sprintf(text + used, "<item");
    for (j = i; j < 700; j += 3) used += (size_t)sprintf(text + used, " field%d='t%d  of %d '", j, i, j);
    used += (size_t)sprintf(text + used, "/>");
  }
  used += (size_t)sprintf(text + used, "</list>");
  XML_SetStartElementHandler(parser, began);
  if (XML_Parse(parser, text, (int)used, 1) != XML_STATUS_OK) return 1;
  printf("%ld elements, %ld attributes\n", elements, attributes);
  XML_ParserFree(parser);
  return 0;
}
#endif

#ifdef USE_WREN
#include "script.h"
#include "wren.h"

static void on_write(WrenVM *vm, const char *part) {
  (void)vm;
  fputs(part, stdout);
}

static void on_error(WrenVM *vm, WrenErrorType type, const char *module, int line, const char *message) {
  (void)vm, (void)type, (void)module;
  fprintf(stderr, "%d: %s\n", line, message);
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

#ifdef USE_TINYEXPR
#include "tinyexpr.h"

int main(void) {
  static const char *const all[] = {"sin(1)+cos(2)", "sqrt(abs(3-8))*exp(1)", "tanh(0.5)-atan(2)+floor(3.7)", "ln(4)+log(100)*ceil(0.2)", "asin(0.1)/acos(0.2)+sinh(1)"};
  double sum = 0;
  int i, failed;
  for (i = 0; i < 6000; ++i) sum += te_interp(all[i % 5], &failed);
  printf("%.6f\n", sum);
  return 0;
}
#endif

#ifdef USE_LODEPNG
#include "lodepng.h"

/* Sums of the parts of a file. */
int main(void) {
  static unsigned char part[40000];
  unsigned noise = 1, sum = 0;
  size_t i;
  int round;
  for (i = 0; i < sizeof part; ++i) {
    noise = noise * 1103515245u + 12345u;
    part[i] = (unsigned char)(noise >> 16);
  }
  for (round = 0; round < 60; ++round) sum ^= lodepng_crc32(part, sizeof part - (size_t)round);
  printf("%u\n", sum);
  return 0;
}
#endif

#ifdef USE_MD4C
#include "md4c.h"
#include "render_html.h"

static char text[1 << 17];
static size_t bytes;

static void written(const MD_CHAR *part, MD_SIZE size, void *data) {
  (void)part, (void)data;
  bytes += size;
}

/* Many definitions, and references to them. */
int main(void) {
  size_t used = 0;
  int i;
  for (i = 0; i < 300; ++i) used += (size_t)sprintf(text + used, "[place %d]: http://example.org/%d\n", i, i);
  used += (size_t)sprintf(text + used, "\n");
  for (i = 0; i < 600; ++i) used += (size_t)sprintf(text + used, "Line %d tells of [place %d] and of some other things.\n\n", i, i * 7 % 310);
  i = md_render_html(text, (MD_SIZE)used, written, NULL, 0, 0);
  printf("%d %zu\n", i, bytes);
  return 0;
}
#endif

#ifdef USE_INIPARSER
#include "dictionary.h"

/* A dictionary that is filled and asked. */
int main(void) {
  dictionary *settings = dictionary_new(0);
  char key[64], value[32];
  int i;
  for (i = 0; i < 1500; ++i) {
    sprintf(key, "section%d:setting-%d", i / 10, i);
    sprintf(value, "%d", i * 3);
    dictionary_set(settings, key, value);
  }
  printf("%d %s\n", settings->n, dictionary_get(settings, "section7:setting-77", "none"));
  dictionary_del(settings);
  return 0;
}
#endif

#ifdef USE_QUICKJS
#include "quickjs.h"
#include "script.h"

int main(void) {
  JSRuntime *runtime = JS_NewRuntime();
  JSContext *context = JS_NewContext(runtime);
  JSValue value = JS_Eval(context, script, strlen(script), "script.js", JS_EVAL_TYPE_GLOBAL);
  const char *text = JS_ToCString(context, value);
  printf("%s\n", text);
  JS_FreeCString(context, text);
  JS_FreeValue(context, value);
  JS_FreeContext(context);
  JS_FreeRuntime(runtime);
  return 0;
}
#endif

#if defined(USE_BROTLI) || defined(USE_LZLIB)
static size_t text_of(unsigned char *text, size_t size) {
  static const char *const words[] = {"river", "harbour", "of the ", "north", "an old ", "and ", "ferry ", "with ", "seven ", "lights, ", "below", " the bridge. ", "It was ", "late "};
  unsigned noise = 7;
  size_t used = 0;
  while (used + 32 < size) {
    noise = noise * 1103515245u + 12345u;
    used += (size_t)sprintf((char *)text + used, "%s%s", words[(noise >> 16) % 14], (noise >> 25) % 3 ? " " : "");
  }
  return used;
}
#endif

#ifdef USE_BROTLI
#include <brotli/decode.h>
#include <brotli/encode.h>

int main(void) {
  static unsigned char text[60000], packed[80000], back[60000];
  const size_t size = text_of(text, sizeof text);
  size_t packed_size = sizeof packed, back_size = sizeof back;
  if (!BrotliEncoderCompress(QUALITY, 18, BROTLI_MODE_TEXT, size, text, &packed_size, packed)) return 1;
  if (BrotliDecoderDecompress(packed_size, packed, &back_size, back) != BROTLI_DECODER_RESULT_SUCCESS) return 2;
  printf("%zu -> %zu, %d\n", size, packed_size, memcmp(text, back, size));
  return 0;
}
#endif

#ifdef USE_LZLIB
#include <stdbool.h>
#include <stdint.h>
#include "lzlib.h"

int main(void) {
  static unsigned char text[60000], packed[80000];
  const int size = (int)text_of(text, sizeof text);
  struct LZ_Encoder *encoder = LZ_compress_open(65536, MATCH_LIMIT, INT64_MAX);
  int given = 0, got = 0;
  while (LZ_compress_finished(encoder) != 1) {
    const int in = LZ_compress_write(encoder, text + given, size - given);
    int out;
    given += in;
    if (given >= size) LZ_compress_finish(encoder);
    out = LZ_compress_read(encoder, packed + got, (int)sizeof packed - got);
    if (in < 0 || out < 0) return 1;
    got += out;
  }
  LZ_compress_close(encoder);
  printf("%d -> %d\n", size, got);
  return 0;
}
#endif

#ifdef USE_LCMS
#include "lcms2.h"

enum { PIXELS = 40000 };

/* A picture with runs of one colour. */
int main(void) {
  static unsigned char in[PIXELS * 3];
  static unsigned short out[PIXELS * 3];
  cmsHPROFILE rgb = cmsCreate_sRGBProfile(), lab = cmsCreateLab4Profile(NULL);
  cmsHTRANSFORM transform = cmsCreateTransform(rgb, TYPE_RGB_8, lab, TYPE_Lab_16, INTENT_PERCEPTUAL, TRANSFORM_FLAGS);
  unsigned noise = 3;
  unsigned long sum = 0;
  int i;
  for (i = 0; i < PIXELS; ++i) {
    if (i % 6 == 0) noise = noise * 1103515245u + 12345u;
    in[i * 3] = (unsigned char)(noise >> 24);
    in[i * 3 + 1] = (unsigned char)(noise >> 16);
    in[i * 3 + 2] = (unsigned char)(noise >> 8);
  }
  cmsDoTransform(transform, in, out, PIXELS);
  for (i = 0; i < PIXELS * 3; i += 7) sum += out[i];
  printf("%lu\n", sum);
  cmsDeleteTransform(transform);
  cmsCloseProfile(rgb);
  cmsCloseProfile(lab);
  return 0;
}
#endif
