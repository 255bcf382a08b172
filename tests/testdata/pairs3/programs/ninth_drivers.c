/* One of several libraries, chosen by a macro (pairs_ninth.toml). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_YAML
#include "yaml.h"

static char text[1 << 18];
static size_t text_used, text_read;

/* What a slow source gives: at most CHUNK bytes at a time. */
int read_some(void *data, unsigned char *buffer, size_t size, size_t *size_read) {
  size_t left = text_used - text_read;
  (void)data;
  if (size > CHUNK) size = CHUNK;
  if (size > left) size = left;
  memcpy(buffer, text + text_read, size);
  text_read += size;
  *size_read = size;
  return 1;
}

int main(void) {
  yaml_parser_t parser;
  yaml_event_t event;
  int i, type, events = 0;
  size_t letters = 0;
#ifdef NESTED
  for (i = 0; i < NESTED; ++i) text_used += (size_t)sprintf(text + text_used, "[\n");
  for (i = 0; i < NESTED; ++i) text_used += (size_t)sprintf(text + text_used, "]\n");
#else
  for (i = 0; i < STATIONS; ++i)
    text_used += (size_t)sprintf(text + text_used, "- name: station %d\n  height: %d\n  lines: [%d, %d, 'line %d']\n", i, i * 7 % 900, i, i + 1, i % 13);
#endif
  yaml_parser_initialize(&parser);
#ifdef CHUNK_BY_HANDLER
  yaml_parser_set_input(&parser, read_some, NULL);
#else
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, text_used);
#endif
  do {
    if (!yaml_parser_parse(&parser, &event)) {
      printf("failed: %s\n", parser.problem);
      return 1;
    }
    type = event.type;
    if (type == YAML_SCALAR_EVENT) letters += event.data.scalar.length;
    ++events;
    yaml_event_delete(&event);
  } while (type != YAML_STREAM_END_EVENT);
  yaml_parser_delete(&parser);
  printf("%d events, %zu letters\n", events, letters);
  return 0;
}
#endif

#ifdef USE_GUMBO
#include "gumbo.h"

static char text[1 << 18];

static int elements_below(const GumboNode *node) {
  unsigned i;
  int sum = 1;
  if (node->type != GUMBO_NODE_ELEMENT) return 0;
  for (i = 0; i < node->v.element.children.length; ++i) sum += elements_below(node->v.element.children.data[i]);
  return sum;
}

int main(void) {
  size_t used = 0;
  int i;
  GumboOutput *output;
  used += (size_t)sprintf(text + used, "<!DOCTYPE html><html><head><title>Stations</title></head><body>");
  for (i = 0; i < 160; ++i)
    used += (size_t)sprintf(text + used, "<div><h2>Station %d</h2><p>It is <em>%d</em> m high, <a href=\"/s/%d\">its <span class=h>lines</span></a>:</p><ul><li>north<li>south</ul></div>", i, i, i);
  used += (size_t)sprintf(text + used, "</body></html>");
  output = gumbo_parse(text);
  printf("%d elements of %zu bytes\n", elements_below(output->root), used);
  return 0;
}
#endif

#ifdef USE_QOI
#define QOI_IMPLEMENTATION
#include "qoi.h"

enum { WIDTH = 160, HEIGHT = 120 };
static unsigned char pixels[WIDTH * HEIGHT * 3];

/* A sky in bands, and hills that are drawn pixel by pixel. */
static void paint(void) {
  unsigned seed = 7;
  int x, y;
  for (y = 0; y < HEIGHT; ++y)
    for (x = 0; x < WIDTH; ++x) {
      unsigned char *p = pixels + 3 * (y * WIDTH + x);
      if (y < HEIGHT / 2) {
        p[0] = (unsigned char)(90 + y / 4 * 2), p[1] = (unsigned char)(120 + y / 4), p[2] = 220;
      } else {
        seed = seed * 1103515245u + 12345u;
        p[0] = (unsigned char)(40 + (seed >> 16) % 3), p[1] = (unsigned char)(110 + x / 8 + (seed >> 20) % 5), p[2] = 30;
      }
    }
}

int main(void) {
  qoi_desc description = {WIDTH, HEIGHT, 3, QOI_SRGB}, found;
  int i, size = 0;
  unsigned long sum = 0;
  void *packed;
  paint();
  packed = qoi_encode(pixels, &description, &size);
  for (i = 0; i < 12; ++i) {
    unsigned char *read = qoi_decode(packed, size, &found, 3);
    sum += read[i * 331];
    free(read);
  }
  free(packed);
  printf("%d bytes, %lu\n", size, sum);
  return 0;
}
#endif

#ifdef USE_MPACK
#include "mpack.h"

int main(void) {
  static const char *const colours[] = {"red", "dark green", "blue", "yellow and black"};
  char *data = NULL;
  size_t size = 0, all = 0;
  int round, i;
  char name[40];
  for (round = 0; round < 4; ++round) {
    mpack_writer_t writer;
    mpack_writer_init_growable(&writer, &data, &size);
    mpack_start_array(&writer, 500);
    for (i = 0; i < 500; ++i) {
      sprintf(name, "station number %d", i);
      mpack_start_map(&writer, 3);
      mpack_write_cstr(&writer, "name");
      mpack_write_cstr(&writer, name);
      mpack_write_cstr(&writer, "colour");
      mpack_write_cstr(&writer, colours[i % 4]);
      mpack_write_cstr(&writer, "height");
      mpack_write_int(&writer, i * 37 % 3000);
      mpack_finish_map(&writer);
    }
    mpack_finish_array(&writer);
    if (mpack_writer_destroy(&writer) != mpack_ok) return 1;
    all += size;
    free(data);
  }
  printf("%zu bytes\n", all);
  return 0;
}
#endif

#ifdef USE_HTTP
#include <sys/types.h>
#include "picohttpparser.h"

static char request[2000];
static size_t request_size;

/* One request that arrives in pieces; returns how many headers it has. */
__attribute__((noinline)) size_t receive(void) {
  const char *method, *path;
  size_t method_size, path_size, headers_count = 0, arrived = 0, before = 0;
  int minor, result = -2;
  struct phr_header headers[32];
  while (result == -2 && arrived < request_size) {
    before = arrived;
    arrived = arrived + PIECE < request_size ? arrived + PIECE : request_size;
    headers_count = sizeof headers / sizeof *headers;
#ifdef FROM_START
    before = 0;
#endif
    result = phr_parse_request(request, arrived, &method, &method_size, &path, &path_size, &minor, headers, &headers_count, before);
  }
  return result > 0 ? headers_count + path_size : 0;
}

int main(void) {
  size_t sum = 0;
  int i;
  request_size = (size_t)sprintf(request,
                                 "GET /stations/%d?fields=name,height&order=up HTTP/1.1\r\nHost: stations.example.org\r\nUser-Agent: A browser of a certain age (it renders text)\r\n"
                                 "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en,de;q=0.7\r\nConnection: keep-alive\r\n"
                                 "Cookie: session=0123456789abcdef0123456789abcdef; theme=dark; seen=12,13,14,15,16\r\nCache-Control: max-age=0\r\n\r\n",
                                 17);
  for (i = 0; i < REQUESTS; ++i) sum += receive();
  printf("%zu\n", sum);
  return 0;
}
#endif

#ifdef USE_MINIZ
#include "miniz.h"

static unsigned char text[60000], packed[70000];

int main(void) {
  static const char *const words[] = {"station", "height", "of the", "line", "between", "and", "closed", "from", "to", "every"};
  size_t used = 0;
  unsigned seed = 5;
  mz_ulong size = sizeof packed;
  while (used < sizeof text - 40) {
    seed = seed * 1103515245u + 12345u;
    used += (size_t)sprintf((char *)text + used, "%s %u ", words[(seed >> 16) % 10], (seed >> 8) % 60);
  }
  if (mz_compress2(packed, &size, text, used, PACK_LEVEL) != MZ_OK) return 1;
  printf("%zu to %lu bytes\n", used, (unsigned long)size);
  return 0;
}
#endif

#ifdef USE_SECP
#include "secp256k1.h"

int main(void) {
  unsigned char seed[32], tweak[32], written[33];
  size_t size = sizeof written;
  secp256k1_pubkey key;
  int i;
  secp256k1_context *context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
  memset(seed, 7, sizeof seed);
  if (!secp256k1_ec_pubkey_create(context, &key, seed)) return 1;
  for (i = 0; i < 40; ++i) {
    memset(tweak, i * 5 + 1, sizeof tweak);
    tweak[0] = 1;
    if (!secp256k1_ec_pubkey_tweak_add(context, &key, tweak)) return 1;
  }
  secp256k1_ec_pubkey_serialize(context, written, &size, &key, SECP256K1_EC_COMPRESSED);
  for (i = 0; i < 33; ++i) printf("%02x", written[i]);
  printf("\n");
  secp256k1_context_destroy(context);
  return 0;
}
#endif

#ifdef USE_CBOR
#include "cbor.h"

int main(void) {
  static unsigned char buffer[1 << 16];
  size_t bytes = 0;
  int round, i;
  for (round = 0; round < 6; ++round) {
    cbor_item_t *all = cbor_new_definite_array(400);
    for (i = 0; i < 400; ++i) {
      cbor_item_t *station = cbor_new_definite_map(2);
      bool done = cbor_map_add(station, (struct cbor_pair){.key = cbor_move(cbor_build_string("name")), .value = cbor_move(cbor_build_string("a station"))});
      done = done && cbor_map_add(station, (struct cbor_pair){.key = cbor_move(cbor_build_string("height")), .value = cbor_move(cbor_build_uint16((uint16_t)(i * 7)))});
      if (!done || !cbor_array_push(all, cbor_move(station))) return 1;
    }
    bytes += cbor_serialize(all, buffer, sizeof buffer);
    cbor_decref(&all);
  }
  printf("%zu bytes\n", bytes);
  return 0;
}
#endif

#ifdef USE_RAX
#include "rax.h"

static unsigned long seen;

/* Walks all keys in order. */
__attribute__((noinline)) unsigned long sum_of_keys(rax *tree) {
  unsigned long sum = 0;
  raxIterator it;
  raxStart(&it, tree);
  raxSeek(&it, "^", NULL, 0);
#ifdef SOUGHT_EACH
  while (raxNext(&it)) {
    unsigned char key[16];
    size_t size = it.key_len;
    sum += it.key[it.key_len - 1];
    ++seen;
    memcpy(key, it.key, size);
    raxSeek(&it, ">", key, size);
  }
#else
  while (raxNext(&it)) {
    sum += it.key[it.key_len - 1];
    ++seen;
  }
#endif
  raxStop(&it);
  return sum;
}

int main(void) {
  rax *tree = raxNew();
  unsigned long sum = 0;
  int i;
  unsigned char key[16];
  for (i = 0; i < KEYS; ++i) {
    unsigned mixed = (unsigned)i * 2654435761u;
    key[0] = 'k', key[1] = (unsigned char)(mixed >> 25), key[2] = (unsigned char)(mixed >> 8), key[3] = (unsigned char)(i % 7), key[4] = 'e';
    raxInsert(tree, key, 5, NULL, NULL);
  }
  for (i = 0; i < WALKS; ++i) sum += sum_of_keys(tree);
  printf("%lu keys, %lu\n", seen, sum);
  raxFree(tree);
  return 0;
}
#endif

#ifdef USE_YYJSON
#include "yyjson.h"

int main(void) {
  yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
  yyjson_mut_val *all = yyjson_mut_arr(doc);
  double value = 0.1;
  size_t bytes = 0, read = 0;
  int i;
  yyjson_mut_doc_set_root(doc, all);
  for (i = 0; i < 1500; ++i) {
    value = value * 1.37 + 1.0 / (i + 3);
    if (value > 1e12) value /= 7.7e13;
    yyjson_mut_arr_add_real(doc, all, value);
    if (i % 5 == 0) yyjson_mut_arr_add_str(doc, all, "a station between the lines");
  }
  for (i = 0; i < 12; ++i) {
    size_t size;
    char *text = yyjson_mut_write(doc, 0, &size);
    yyjson_doc *again = yyjson_read(text, size, 0);
    bytes += size;
    read += yyjson_arr_size(yyjson_doc_get_root(again));
    yyjson_doc_free(again);
    free(text);
  }
  yyjson_mut_doc_free(doc);
  printf("%zu bytes, %zu values\n", bytes, read);
  return 0;
}
#endif

#ifdef USE_HASHMAP
#include "hashmap.h"

struct station {
  char name[24];
  int height;
};

static uint64_t hash_of(const void *item, uint64_t seed0, uint64_t seed1) {
  const struct station *station = item;
  return hashmap_xxhash3(station->name, strlen(station->name), seed0, seed1);
}

static int by_name(const void *a, const void *b, void *data) {
  (void)data;
  return strcmp(((const struct station *)a)->name, ((const struct station *)b)->name);
}

int main(void) {
  struct hashmap *map = hashmap_new(sizeof(struct station), 0, 1, 2, hash_of, by_name, NULL, NULL);
  struct station station;
  long sum = 0;
  int i, missed = 0;
  for (i = 0; i < 3700; ++i) {
    memset(&station, 0, sizeof station);
    sprintf(station.name, "station %d", i);
    station.height = i * 7;
    hashmap_set(map, &station);
  }
  for (i = 0; i < 9000; ++i) {
    const struct station *found;
    sprintf(station.name, "station %d", i * 37 % 7400);
    found = hashmap_get(map, &station);
    if (found) sum += found->height;
    else ++missed;
  }
  printf("%ld, %d missed\n", sum, missed);
  hashmap_free(map);
  return 0;
}
#endif

#ifdef USE_FROZEN
#include "frozen.h"

struct station {
  int height, lines, zone, lifts, shops;
};

#ifdef FIELD_BY_FIELD
__attribute__((noinline)) void read_station(const char *text, int size, struct station *to) {
  json_scanf(text, size, "{height: %d}", &to->height);
  json_scanf(text, size, "{lines: %d}", &to->lines);
  json_scanf(text, size, "{zone: %d}", &to->zone);
  json_scanf(text, size, "{lifts: %d}", &to->lifts);
  json_scanf(text, size, "{shops: %d}", &to->shops);
}
#else
static void keep_field(void *data, const char *name, size_t name_size, const char *path, const struct json_token *token) {
  struct station *to = data;
  (void)path;
  if (name == NULL || token->type != JSON_TYPE_NUMBER) return;
  if (name_size == 6 && memcmp(name, "height", 6) == 0) to->height = atoi(token->ptr);
  if (name_size == 5 && memcmp(name, "lines", 5) == 0) to->lines = atoi(token->ptr);
  if (name_size == 4 && memcmp(name, "zone", 4) == 0) to->zone = atoi(token->ptr);
  if (name_size == 5 && memcmp(name, "lifts", 5) == 0) to->lifts = atoi(token->ptr);
  if (name_size == 5 && memcmp(name, "shops", 5) == 0) to->shops = atoi(token->ptr);
}

__attribute__((noinline)) void read_station(const char *text, int size, struct station *to) { json_walk(text, size, keep_field, to); }
#endif

int main(void) {
  char text[400];
  struct station station = {0, 0, 0, 0, 0};
  long sum = 0;
  int i;
  for (i = 0; i < 500; ++i) {
    int size = sprintf(text, "{\"name\": \"Station %d\", \"height\": %d, \"lines\": %d, \"towards\": [\"north\", \"east\"], \"zone\": %d, \"lifts\": %d, \"shops\": %d}", i, i * 7, i % 9, i % 4,
                       i % 3, i % 11);
    read_station(text, size, &station);
    sum += station.height + station.lines + station.zone + station.lifts + station.shops;
  }
  printf("%ld\n", sum);
  return 0;
}
#endif

#ifdef USE_MPC
#include "mpc.h"

static mpc_parser_t *Sum, *Product, *Value, *Line;

__attribute__((noinline)) void make_grammar(void) {
  Sum = mpc_new("sum");
  Product = mpc_new("product");
  Value = mpc_new("value");
  Line = mpc_new("line");
  mpca_lang(MPCA_LANG_DEFAULT, " sum : <product> (('+' | '-') <product>)* ; product : <value> (('*' | '/') <value>)* ; value : /[0-9]+/ | '(' <sum> ')' ; line : /^/ <sum> /$/ ; ", Sum, Product,
            Value, Line, NULL);
}

__attribute__((noinline)) void forget_grammar(void) { mpc_cleanup(4, Sum, Product, Value, Line); }

static int branches(const mpc_ast_t *tree) {
  int i, sum = 1;
  for (i = 0; i < tree->children_num; ++i) sum += branches(tree->children[i]);
  return sum;
}

__attribute__((noinline)) int parse_line(const char *text) {
  mpc_result_t result;
  int sum;
#ifdef GRAMMAR_EACH
  make_grammar();
#endif
  if (!mpc_parse("line", text, Line, &result)) return -1;
  sum = branches(result.output);
  mpc_ast_delete(result.output);
#ifdef GRAMMAR_EACH
  forget_grammar();
#endif
  return sum;
}

int main(void) {
  char text[200];
  int i, sum = 0;
#ifndef GRAMMAR_EACH
  make_grammar();
#endif
  for (i = 0; i < 12; ++i) {
    sprintf(text, "%d * (3 + %d) - 7 * (%d + 2 * (1 + 4)) + 12 / 3", i, i * 5, i + 2);
    sum += parse_line(text);
  }
#ifndef GRAMMAR_EACH
  forget_grammar();
#endif
  printf("%d\n", sum);
  return 0;
}
#endif

#ifdef USE_HOEDOWN
#include "document.h"
#include "html.h"

static char text[1 << 17];

int main(void) {
  size_t used = 0;
  int i;
  hoedown_renderer *renderer = hoedown_html_renderer_new(0, 0);
  hoedown_document *document = hoedown_document_new(renderer, 0, 16);
  hoedown_buffer *out = hoedown_buffer_new(OUTPUT_UNIT);
  for (i = 0; i < 220; ++i)
    used += (size_t)sprintf(text + used, "## Station %d\n\nIt is *%d* metres high & has **%d** lines; see [the map](http://example.org/%d).\n\n* north\n* south, `%d`\n\n", i, i * 7, i % 9, i, i);
  hoedown_document_render(document, out, (const uint8_t *)text, used);
  printf("%zu to %zu bytes\n", used, out->size);
  hoedown_buffer_free(out);
  hoedown_document_free(document);
  hoedown_html_renderer_free(renderer);
  return 0;
}
#endif

#ifdef USE_GENANN
#include "genann.h"

int main(void) {
  double error = 0, inputs[4], wanted;
  int round, i;
  genann *net;
  srand(3);
  net = genann_init(4, 1, 12, 1);
#ifdef COMPUTED
  net->activation_hidden = genann_act_sigmoid;
  net->activation_output = genann_act_sigmoid;
#endif
  for (round = 0; round < 60; ++round)
    for (i = 0; i < 64; ++i) {
      inputs[0] = i & 1, inputs[1] = i >> 1 & 1, inputs[2] = i >> 2 & 3, inputs[3] = i >> 4;
      wanted = (i ^ i >> 1) & 1;
      genann_train(net, inputs, &wanted, 0.8);
    }
  for (i = 0; i < 64; ++i) {
    inputs[0] = i & 1, inputs[1] = i >> 1 & 1, inputs[2] = i >> 2 & 3, inputs[3] = i >> 4;
    wanted = (i ^ i >> 1) & 1;
    error += (genann_run(net, inputs)[0] - wanted) * (genann_run(net, inputs)[0] - wanted);
  }
  printf("%.2f\n", error);
  genann_free(net);
  return 0;
}
#endif
