#include "icount/store/stored_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"
#include "icount/stats/fingerprint.h"
#include "icount/store/cost_graph_blob.h"
#include "icount/store/measurement_file.h"
#include "icount/store/result_file.h"
#include "icount/store/result_record.h"

namespace icount {
namespace {

constexpr size_t kSampleBytes = 8;

/// Calls `visit` with each number of a record that varies from run to run though nothing changed, in order.
template <typename Visit>
void each_figure(Json& record, Visit visit) {
  for (const char* key : {"fixed", "slope"})
    if (const auto found = record.find(key); found != record.end()) visit(*found);
  if (const auto extra = record.find("extra"); extra != record.end() && extra->is_object())
    for (Json& value : *extra)
      if (value.is_number()) visit(value);
}

std::string pack_samples(const Json& times) {
  std::string packed;
  for (const Json& time : times) {
    const auto bits = std::bit_cast<uint64_t>(time.get<double>());
    for (size_t byte = 0; byte < kSampleBytes; ++byte) packed += static_cast<char>(bits >> (8 * byte) & 0xff);
  }
  return packed;
}

Json unpack_samples(std::string_view packed, std::string_view place) {
  if (packed.size() % kSampleBytes != 0)
    throw Error(ErrorKind::kMalformed, fmt::format("{}: wall samples are cut off", place));
  Json times = Json::array();
  for (size_t at = 0; at < packed.size(); at += kSampleBytes) {
    uint64_t bits = 0;
    for (size_t byte = 0; byte < kSampleBytes; ++byte)
      bits |= uint64_t{static_cast<unsigned char>(packed[at + byte])} << (8 * byte);
    times.push_back(std::bit_cast<double>(bits));
  }
  return times;
}

std::string keep_text(std::string&& text, StoredRun& run) {
  std::string hash = content_hash(text);
  run.texts.try_emplace(hash, std::move(text));
  return hash;
}

std::string keep_graph(const Result& result, std::string_view name, StoredRun& run) {
  const std::shared_ptr<const CostGraph> graph = unpack_graph(result, name);
  return graph ? keep_text(cost_graph_bytes(*graph), run) : std::string();
}

/// The record's JSON without what has a column of its own.
Json split_record(const Result& result, StoredResult& stored, std::string_view name) {
  Result bare = result;
  bare.graph.reset();
  bare.graph_blob.clear();
  bare.counts.clear();
  Json record = result_to_json(bare);
  Json figures = Json::array();
  each_figure(record, [&](Json& value) {
    figures.push_back(value);
    value = 0;
  });
  stored.figures = dump_json(figures, -1);
  if (const auto measurement = record.find("measurement");
      measurement != record.end() && measurement->contains("raw_times")) {
    const Measurement parsed = parse_measurement(*measurement, name);
    if (!parsed.raw_times().empty()) stored.wall_median_s = parsed.median();
    Json& times = (*measurement)["raw_times"];
    stored.wall_samples = pack_samples(times);
    times = Json::array();
  }
  return record;
}

StoredResult split_result(const ResultFile& file, const Result& result, std::string_view name, StoredRun& run) {
  StoredResult stored;
  stored.key = storable_text(result_key(result));
  stored.status = storable_text(result.status);
  stored.number_per_run = result.number_per_run;
  stored.median_count = median_count(result);
  stored.spread = count_spread(result);
  for (const int64_t count : result.counts)
    stored.counts += fmt::format("{}{}", stored.counts.empty() ? "" : " ", count);
  stored.record = keep_text(dump_json(split_record(result, stored, name), -1), run);
  stored.graph = keep_graph(result, name, run);
  stored.fingerprint = keep_text(dump_json(to_json(full_fingerprint(file, result)), -1), run);
  return stored;
}

std::vector<int64_t> parse_counts(const StoredResult& stored, std::string_view place) {
  std::vector<int64_t> counts;
  if (stored.counts.empty()) return counts;
  for (const std::string_view word : split(stored.counts, ' ')) {
    const std::optional<int64_t> count = parse_int64(word);
    if (!count) throw Error(ErrorKind::kMalformed, fmt::format("{}: '{}' is not a count", place, word));
    counts.push_back(*count);
  }
  return counts;
}

[[noreturn]] void fail_column(std::string_view place, std::string_view key, std::string_view what) {
  throw Error(ErrorKind::kMalformed,
              fmt::format("{}: the {} of '{}' does not belong to it; the store is damaged", place, what, key));
}

/// Columns that repeat what the result says, so that SQL finds it.
void check_columns(const StoredResult& stored, const Result& result, std::string_view place) {
  if (stored.key != storable_text(result_key(result))) fail_column(place, stored.key, "benchmark");
  if (stored.status != storable_text(result.status)) fail_column(place, stored.key, "status");
  if (stored.number_per_run != result.number_per_run) fail_column(place, stored.key, "number of runs");
  if (stored.wall_samples.empty()) return;
  const double median = parse_measurement(parse_json(result.measurement, place), place).median();
  if (!stored.wall_median_s || std::abs(*stored.wall_median_s - median) > 1e-9 * std::abs(median))
    fail_column(place, stored.key, "wall-clock median");
}

std::string identity_of(const StoredRun& run) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n", run.tag.commit.hash, run.tag.name, run.command, run.planned, run.fingerprint);
  for (const StoredResult& result : run.results)
    text += fmt::format("{} {} {} {} {}\n", result.counts, result.figures, content_hash(result.wall_samples),
                        result.record, result.graph);
  return content_hash(text);
}

}  // namespace

StoredRun make_stored_run(const ResultFile& file, const RunTag& tag, std::string_view name) {
  check_result_keys(file, name);
  StoredRun run{.tag = tag, .command = storable_text(file.command), .planned = file.planned};
  for (std::string* text : {&run.tag.commit.hash, &run.tag.commit.subject, &run.tag.branch, &run.tag.name})
    *text = storable_text(*text);
  run.fingerprint = keep_text(dump_json(to_json(file.fingerprint), -1), run);
  run.results.reserve(file.results.size());
  for (const Result& result : file.results) run.results.push_back(split_result(file, result, name, run));
  run.identity = identity_of(run);
  return run;
}

void check_stored_run(const StoredRun& run, std::string_view place) {
  for (const StoredResult& stored : run.results) {
    Result result;
    result.counts = parse_counts(stored, place);
    if (stored.median_count != median_count(result)) fail_column(place, stored.key, "median count");
    if (stored.spread != count_spread(result)) fail_column(place, stored.key, "spread of the counts");
  }
  if (identity_of(run) != run.identity)
    throw Error(ErrorKind::kMalformed,
                fmt::format("{}: it is not the run that was stored; the store is damaged", place));
}

Result join_stored_result(const StoredResult& stored, std::string_view record, std::string_view place) {
  Json json = parse_json(record, place);
  const Json figures = parse_json(stored.figures, place);
  size_t next = 0;
  each_figure(json, [&](Json& value) {
    if (!figures.is_array() || next >= figures.size())
      throw Error(ErrorKind::kMalformed, fmt::format("{}: figures are missing", place));
    value = figures[next++];
  });
  json["counts"] = parse_counts(stored, place);
  if (const auto measurement = json.find("measurement");
      measurement != json.end() && measurement->contains("raw_times"))
    (*measurement)["raw_times"] = unpack_samples(stored.wall_samples, place);
  Result result = result_from_json(json, place);
  check_columns(stored, result, place);
  return result;
}

void check_stored_fingerprint(const StoredResult& stored, const Fingerprint& row, const Fingerprint& full,
                              std::string_view place) {
  const auto is_same = [&](const Fact& fact) {
    const std::string* const value = full.find(fact.name);
    return value && *value == fact.value;
  };
  const bool derived = full.find(kUncountedFact) && !row.find(kUncountedFact);
  if (row.facts.size() + (derived ? 1 : 0) != full.facts.size() ||
      !std::all_of(row.facts.begin(), row.facts.end(), is_same))
    fail_column(place, stored.key, "fingerprint");
}

std::string storable_text(std::string_view text) {
  const auto plain = [](unsigned char c) { return c > 0 && c < 0x80; };
  if (std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  // The JSON library replaces what is no UTF-8.
  const std::string valid = parse_json(dump_json(Json(std::string(text)), -1), "text").get<std::string>();
  std::string clean;
  for (const char c : valid) clean += c == '\0' ? std::string("\xef\xbf\xbd") : std::string(1, c);
  return clean;
}

}  // namespace icount
