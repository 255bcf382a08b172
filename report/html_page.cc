#include "icount/report/html_page.h"

#include <fmt/format.h>

#include "icount/base/compression.h"
#include "icount/base/text.h"
#include "icount/base/text_encodings.h"
#include "report_script.h"
#include "report_style.h"

namespace icount {

std::string escape_html(std::string_view text) {
  std::string out;
  for (char c : escape_for_terminal(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string policy_hash(std::string_view sha256_hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i + 1 < sha256_hex.size(); i += 2)
    bytes += static_cast<char>(digit(sha256_hex[i]) * 16 + digit(sha256_hex[i + 1]));
  return "'sha256-" + to_base64(bytes) + "'";
}

namespace {

std::string head_of(std::string_view title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; style-src {}; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
      "content=\"light dark\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      policy_hash(report_script_sha256()), policy_hash(report_style_sha256()), escape_html(title), report_style());
}

}  // namespace

std::string inert_json(const Json& data) {
  const std::string text = dump_json(data, -1);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i, 3);
    if (text[i] == '<')
      out += "\\u003c";
    else if (text[i] == '>')
      out += "\\u003e";
    else if (text[i] == '&')
      out += "\\u0026";
    else if (rest == "\xe2\x80\xa8" || rest == "\xe2\x80\xa9") {
      out += rest == "\xe2\x80\xa8" ? "\\u2028" : "\\u2029";
      i += 2;
    } else
      out += text[i];
  }
  return out;
}

std::string render_plain_page(std::string_view title, std::string_view body) {
  // Beside the report's own style sheet, which has the colours.
  constexpr std::string_view kStyle =
      "body{max-width:72rem;margin:0 auto;padding:1rem}table{border-collapse:collapse;width:100%}"
      "td,th{padding:.25rem .6rem;text-align:left;border-bottom:1px solid var(--line)}"
      "td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}td.spark{font-family:var(--mono)}"
      ".more{color:var(--more)}.less{color:var(--less)}.muted{color:var(--muted)}h2{margin-top:2rem}"
      ".wide{overflow-x:auto}p,details{margin:.5rem 0}li{overflow-wrap:anywhere}";
  // form-action: the browser may send a form's choice back to where the page is from, and nowhere else.
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri "
      "'none'; form-action 'self'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>{}</style>\n<style>{}</style>\n"
      "</head>\n<body>\n{}</body>\n</html>\n",
      escape_html(title), report_style(), kStyle, body);
}

std::string render_html_page(std::string_view title, const Json& data) {
  std::string text = inert_json(data);
  const bool packed = text.size() > kPlainDataBytes;
  if (packed) text = to_base64(compress_zlib(text));
  std::string page = head_of(title);
  page +=
      "<body>\n<noscript>This report is drawn by a script inside the page; please allow scripts for this "
      "file.</noscript>\n<div id=\"app\"></div>\n";
  page += fmt::format("<script type=\"application/json\" id=\"data\" data-form=\"{}\">", packed ? "deflate" : "json");
  page += text;
  page += "</script>\n<script>";
  page += report_script();
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace icount
