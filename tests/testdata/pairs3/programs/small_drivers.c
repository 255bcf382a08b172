/* One of several libraries, chosen by a macro. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_ZSTD
#include <zstd.h>
int main(void) {
  static char text[40000], packed[50000];
  size_t total = 0, used = 0;
  ZSTD_CCtx *context = ZSTD_createCCtx();
  int i;
  while (used + 60 < sizeof text) used += (size_t)sprintf(text + used, "entry %zu of the log, state %zu\n", used % 613, used % 7);
#ifdef CHECKSUM
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
#endif
#ifdef LONG_DISTANCE
  ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1);
#endif
  for (i = 0; i < 5; ++i) total += ZSTD_compress2(context, packed, sizeof packed, text, used);
  ZSTD_freeCCtx(context);
  printf("%zu\n", total);
  return 0;
}
#endif

#ifdef USE_PNG
#include <png.h>
static size_t written;
static void on_data(png_structp png, png_bytep data, png_size_t size) { (void)png; (void)data; written += size; }
static void on_flush(png_structp png) { (void)png; }
int main(void) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  unsigned char row[300];
  int x, y;
  png_set_write_fn(png, NULL, on_data, on_flush);
  png_set_IHDR(png, info, 100, 60, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(png, 0, PNG_FILTER_NONE);
#ifdef FLUSH_ROWS
  png_set_flush(png, 1);
#endif
  png_write_info(png, info);
  for (y = 0; y < 60; ++y) {
    for (x = 0; x < 300; ++x) row[x] = (unsigned char)((x * y) / 7 + (x % 3) * 40);
    png_write_row(png, row);
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  printf("%zu\n", written);
  return 0;
}
#endif

#ifdef USE_GMP
#include <gmp.h>
__attribute__((noinline)) static void factorial(mpz_t out, unsigned n) {
  unsigned i;
  mpz_set_ui(out, 1);
  for (i = 2; i <= n; ++i) mpz_mul_ui(out, out, i);
}
int main(void) {
  mpz_t number, sum;
  unsigned i;
  size_t digits = 0;
  mpz_init(number);
  mpz_init(sum);
  for (i = 100; i < 130; ++i) {
    factorial(number, i);
    mpz_add(sum, sum, number);
#ifdef PRINT_EACH
    char *text = mpz_get_str(NULL, 10, sum);
    digits += strlen(text);
    free(text);
#else
    digits += mpz_sizeinbase(sum, 2);
#endif
  }
  printf("%zu\n", digits);
  return 0;
}
#endif

#ifdef USE_HTTP
#include "http_parser.h"
static int events;
static int on_part(http_parser *parser, const char *at, size_t size) { (void)parser; (void)at; events += size > 0; return 0; }
int main(void) {
  static const char request[] =
      "POST /a/path?query=1&other=2 HTTP/1.1\r\nHost: www.example.org\r\nUser-Agent: some client/1.0\r\nAccept: text/html, text/plain\r\n"
      "Content-Length: 11\r\nConnection: keep-alive\r\n\r\nhello world";
  http_parser_settings settings;
  int i;
  http_parser_settings_init(&settings);
  settings.on_url = settings.on_header_field = settings.on_header_value = settings.on_body = on_part;
  for (i = 0; i < 100; ++i) {
    http_parser parser;
    size_t at, part = sizeof request - 1;
    http_parser_init(&parser, HTTP_REQUEST);
#ifdef BY_BYTES
    part = 1;
#endif
    for (at = 0; at < sizeof request - 1; at += part) http_parser_execute(&parser, &settings, request + at, part);
  }
  printf("%d\n", events);
  return 0;
}
#endif
