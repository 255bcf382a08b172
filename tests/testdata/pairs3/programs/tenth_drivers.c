/* One of several libraries, chosen by a macro (pairs_tenth.toml). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_CMARK
#include "cmark.h"

static char text[1 << 17];

static size_t repeated(size_t used, const char *part, int times) {
  const size_t length = strlen(part);
  while (times-- > 0) {
    memcpy(text + used, part, length);
    used += length;
  }
  return used;
}

int main(void) {
  size_t used = repeated(0, "Some *plain* words, and `code` that stands here.\n\n", 40);
  cmark_node *document;
  char *written;
#ifdef QUOTES
  /* A quote opens, and thousands of apostrophes close it. */
  used = repeated(used, "'so", 1);
  used = repeated(used, " it's", QUOTES);
#else
  /* Emphasis in emphasis, deep down. */
  used = repeated(used, "*", NESTED);
  used = repeated(used, "a", 1);
  used = repeated(used, "*", NESTED);
#endif
  document = cmark_parse_document(text, used, CMARK_OPT_SMART);
#ifdef QUOTES
  written = cmark_render_html(document, CMARK_OPT_DEFAULT);
#else
  written = cmark_render_commonmark(document, CMARK_OPT_DEFAULT, 0);
#endif
  printf("%zu -> %zu\n", used, strlen(written));
  free(written);
  cmark_node_free(document);
  return 0;
}
#endif

#ifdef USE_WREN
#include "wren.h"

static char source[1 << 16];

static void on_write(WrenVM *vm, const char *part) {
  (void)vm;
  fputs(part, stdout);
}

/* A table of many numbers in one module. */
int main(void) {
  WrenConfiguration configuration;
  WrenVM *vm;
  size_t used = 0;
  int i, result;
  used += (size_t)sprintf(source + used, "var heights = []\n");
  for (i = 0; i < CONSTANTS; ++i) used += (size_t)sprintf(source + used, "heights.add(%d.25)\n", i * 7 + 3);
  sprintf(source + used, "var sum = 0\nfor (height in heights) sum = sum + height\nSystem.print(sum)\n");
  wrenInitConfiguration(&configuration);
  configuration.writeFn = on_write;
  vm = wrenNewVM(&configuration);
  result = wrenInterpret(vm, source);
  wrenFreeVM(vm);
  return result;
}
#endif

#ifdef USE_MD4C
#include "md4c.h"
#include "md4c-html.h"

static char text[1 << 17];
static size_t bytes;

static void written(const MD_CHAR *part, MD_SIZE size, void *data) {
  (void)part, (void)data;
  bytes += size;
}

/* One long paragraph, each of its lines with a reference. */
int main(void) {
  size_t used = 0;
  int i;
  for (i = 0; i < 40; ++i) used += (size_t)sprintf(text + used, "[place %d]: http://example.org/%d\n", i, i);
  used += (size_t)sprintf(text + used, "\n");
  for (i = 0; i < LINES; ++i) used += (size_t)sprintf(text + used, "line %d tells of [place %d] and of some other things\n", i, i % 60);
  i = md_html(text, (MD_SIZE)used, written, NULL, 0, 0);
  printf("%d %zu\n", i, bytes);
  return 0;
}
#endif

#ifdef USE_LODEPNG
#include "lodepng.h"

enum { SIDE = 80 };

/* Packs an image and reads it again. */
int main(void) {
  static unsigned char image[SIDE * SIDE * 3];
  unsigned char *png = NULL, *back = NULL;
  unsigned noise = 1, width = 0, height = 0, failed;
  unsigned long sum = 0;
  size_t size = 0, i;
  int round;
  for (i = 0; i < sizeof image; ++i) {
    noise = noise * 1103515245u + 12345u;
    image[i] = (unsigned char)((i / 3 % SIDE) * 2 + i / (3 * SIDE) + (noise >> 16 & 7));
  }
  failed = lodepng_encode24(&png, &size, image, SIDE, SIDE);
  for (round = 0; round < READS && !failed; ++round) {
    failed = lodepng_decode24(&back, &width, &height, png, size);
    for (i = 0; !failed && i < (size_t)width * height * 3; i += 97) sum += back[i];
    free(back);
  }
  printf("%u %zu %lu\n", failed, size, sum);
  free(png);
  return 0;
}
#endif

#ifdef USE_EXPAT
#include "expat.h"

static char text[1 << 18];
static long elements, attributes;

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **values) {
  (void)user, (void)name;
  ++elements;
  while (*values) values += 2, ++attributes;
}

/* An element whose type declares many attributes with a value of their own. */
int main(void) {
  size_t used = 0;
  int i;
  XML_Parser parser = XML_ParserCreate(NULL);
  used += (size_t)sprintf(text + used, "<!DOCTYPE list [\n<!ELEMENT list ANY>\n<!ATTLIST list\n");
  for (i = 0; i < DECLARED; ++i) used += (size_t)sprintf(text + used, "  setting_%d CDATA \"%d\"\n", i, i * 3);
  used += (size_t)sprintf(text + used, ">\n]>\n<list>");
  for (i = 0; i < 50; ++i) used += (size_t)sprintf(text + used, "<item number=\"%d\">text %d</item>\n", i, i);
  used += (size_t)sprintf(text + used, "</list>\n");
  XML_SetHashSalt(parser, 12345);
  XML_SetStartElementHandler(parser, on_start);
  if (XML_Parse(parser, text, (int)used, 1) == XML_STATUS_ERROR) {
    printf("failed: %s\n", XML_ErrorString(XML_GetErrorCode(parser)));
    return 1;
  }
  XML_ParserFree(parser);
  printf("%ld elements, %ld attributes\n", elements, attributes);
  return 0;
}
#endif

#ifdef USE_JANSSON
#include "jansson.h"

/* A tree of settings, written with indentation. */
static json_t *settings(int depth) {
  json_t *here = json_object();
  int i;
  char key[24];
  for (i = 0; i < 6; ++i) {
    sprintf(key, "setting %d", i);
    json_object_set_new(here, key, json_integer(depth * 10 + i));
  }
  if (depth > 0) json_object_set_new(here, "below", settings(depth - 1));
  return here;
}

int main(void) {
  json_t *tree;
  size_t bytes = 0;
  int round;
  json_object_seed(1);
  tree = settings(DEPTH);
  for (round = 0; round < 6; ++round) {
    char *written = json_dumps(tree, JSON_INDENT(2));
    bytes += strlen(written);
    free(written);
  }
  json_decref(tree);
  printf("%zu\n", bytes);
  return 0;
}
#endif

#ifdef USE_UTF8PROC
#include "utf8proc.h"

static const char *const words[] = {"caf\xc3\xa9", "stra\xc3\x9f" "e", "na\xc3\xafve", "\xce\xb1\xce\xb2\xce\xb3", "plain", "e\xcc\x81t\xc3\xa9", "words"};

/* Normalises lines, and measures them. */
int main(void) {
  char line[400];
  long width = 0, bytes = 0;
  int i, j;
  for (i = 0; i < 260; ++i) {
    size_t used = 0;
    utf8proc_uint8_t *normal = NULL;
    utf8proc_ssize_t length, at = 0;
    for (j = 0; j < 8; ++j) used += (size_t)sprintf(line + used, "%s ", words[(i * 5 + j * j) % 7]);
    length = utf8proc_map((const utf8proc_uint8_t *)line, (utf8proc_ssize_t)used, &normal, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    bytes += length;
    while (at < length) {
      utf8proc_int32_t character;
      at += utf8proc_iterate(normal + at, length - at, &character);
      width += utf8proc_charwidth(character);
    }
    free(normal);
  }
  printf("%ld bytes, %ld wide\n", bytes, width);
  return 0;
}
#endif

#ifdef USE_KISSFFT
#include "kiss_fft.h"

enum { LENGTH = 240 };

#ifndef PLANNED_EACH
static kiss_fft_cfg plan;
#endif

static void transformed(const kiss_fft_cpx *samples, kiss_fft_cpx *spectrum) {
#ifdef PLANNED_EACH
  kiss_fft_cfg plan = kiss_fft_alloc(LENGTH, 0, NULL, NULL);
#endif
  kiss_fft(plan, samples, spectrum);
#ifdef PLANNED_EACH
  free(plan);
#endif
}

/* The middle of the spectrum of each block. */
int main(void) {
  static kiss_fft_cpx samples[LENGTH], spectrum[LENGTH];
  double sum = 0;
  int i, block;
#ifndef PLANNED_EACH
  plan = kiss_fft_alloc(LENGTH, 0, NULL, NULL);
#endif
  for (block = 0; block < 90; ++block) {
    double power = 0, weighted = 0;
    for (i = 0; i < LENGTH; ++i) {
      samples[i].r = (float)((i * (block + 3)) % 48) / 48.0f - 0.5f;
      samples[i].i = 0;
    }
    transformed(samples, spectrum);
    for (i = 1; i < LENGTH / 2; ++i) {
      const double one = spectrum[i].r * spectrum[i].r + spectrum[i].i * spectrum[i].i;
      power += one;
      weighted += one * i;
    }
    sum += weighted / (power + 1e-9);
  }
#ifndef PLANNED_EACH
  free(plan);
#endif
  printf("%.3f\n", sum);
  return 0;
}
#endif

#ifdef USE_CHIPMUNK
#include "chipmunk/chipmunk.h"

/* Boxes and balls of several sizes fall onto a floor. */
int main(void) {
  cpSpace *space = cpSpaceNew();
  cpBody *bodies[BODIES];
  cpShape *floor = cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-400, 0), cpv(400, 0), 2);
  double height = 0;
  int i, step;
  cpSpaceSetGravity(space, cpv(0, -100));
  cpSpaceSetIterations(space, 8);
#ifdef BY_HASH
  cpSpaceUseSpatialHash(space, BY_HASH, 400);
#endif
  cpShapeSetFriction(floor, 0.8);
  cpSpaceAddShape(space, floor);
  for (i = 0; i < BODIES; ++i) {
    const double size = 4 + i % 5 * 3;
    cpShape *shape;
    bodies[i] = cpSpaceAddBody(space, cpBodyNew(1, cpMomentForBox(1, size, size)));
    cpBodySetPosition(bodies[i], cpv(i % 12 * 22 - 120, 12 + i / 12 * 20));
    shape = i % 3 ? cpBoxShapeNew(bodies[i], size, size, 0) : cpCircleShapeNew(bodies[i], size / 2, cpvzero);
    cpShapeSetFriction(shape, 0.6);
    cpSpaceAddShape(space, shape);
  }
  for (step = 0; step < 60; ++step) cpSpaceStep(space, 1.0 / 60);
  for (i = 0; i < BODIES; ++i) height += cpBodyGetPosition(bodies[i]).y;
  printf("%.2f\n", height / BODIES);
  return 0;
}
#endif

#ifdef USE_TINYEXPR
#include "tinyexpr.h"

static const char *const formulas[] = {
  "sqrt(x^2 + y^2) * sin(x) - cos(y)", "floor(x * 3) + ceil(y / 2) - abs(x - y)", "exp(-x) * tanh(y) + ln(x + 2)",
  "atan2(y, x + 1) * log10(y + 3)", "pow(x, 2) - pow(y, 3) + sinh(x / 9)", "tan(x / 7) + fac(3) - ncr(6, 2) * pi",
};

/* Reads each formula and works out a column of it. */
int main(void) {
  double x = 0, y = 0, sum = 0;
  const te_variable variables[] = {{"x", &x, 0, 0}, {"y", &y, 0, 0}};
  int i, row;
  for (i = 0; i < 900; ++i) {
    int failed = 0;
    te_expr *formula = te_compile(formulas[i % 6], variables, 2, &failed);
    if (!formula) return 1;
    for (row = 0; row < 4; ++row) {
      x = i * 0.01 + row;
      y = row * 0.5 + 1;
      sum += te_eval(formula);
    }
    te_free(formula);
  }
  printf("%.4f\n", sum);
  return 0;
}
#endif
