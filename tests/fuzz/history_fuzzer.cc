// libFuzzer target of a damaged store: bytes of a sound one are changed (three bytes of the input each: where, what).
// It is refused, or what comes out of it is what was put in.
#include <malloc.h>

#include <fstream>
#include <numeric>
#include <string>

#include "fuzz/fuzz_input.h"
#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/scratch_dir.h"
#include "icount/store/history.h"
#include "icount/store/result_file.h"

namespace {

using namespace icount;

constexpr std::string_view kResults =
    "{\"schema\":{\"name\":\"icount-result\",\"version\":1},\"command\":\"icount suite run\",\"planned\":2,"
    "\"fingerprint\":[{\"name\":\"valgrind\",\"value\":\"3.19.0\",\"class\":\"refuse\"}]}\n"
    "{\"label\":[\"a\"],\"task\":{\"stmt\":\"f();\",\"setup\":\"\",\"language\":\"c++\",\"num_threads\":1},"
    "\"status\":\"done\",\"event\":\"Ir\",\"number_per_run\":1,\"counts\":[100,101,100]}\n"
    "{\"label\":[\"b\"],\"task\":{\"stmt\":\"g();\",\"setup\":\"\",\"language\":\"c++\",\"num_threads\":1},"
    "\"status\":\"done\",\"event\":\"Ir\",\"number_per_run\":100,\"counts\":[1234567]}\n";

class SoundStore {
 public:
  SoundStore() {
    History history(url(), OpenMode::kCreate);
    history.import(parse_result_file(kResults, "sound").file, {.name = "nightly", .unix_time = 1000}, "sound");
    written_ = result_file_text(history.load(1));
  }
  StoreUrl url() const { return parse_store_url(path().string()); }
  std::filesystem::path path() const { return folder_.path() / "h.sqlite"; }
  const std::string& written() const { return written_; }
  /// The file's bytes, read when its connection has ended.
  std::string bytes() const { return load_text(path()); }

 private:
  ScratchDir folder_{"icount-fuzz"};
  std::string written_;
};

void read_runs(History& history, const std::string& written) {
  for (const RunInfo& run : history.runs()) {
    const auto loaded = accepted([&] { return result_file_text(history.load(run.id)); });
    ICOUNT_CHECK(!loaded || *loaded == written, "a damaged store gave other results");
    ICOUNT_CHECK(run.tag.name == "nightly" && run.tag.unix_time == 1000 && run.tag.branch.empty() &&
                     run.tag.commit == CommitInfo(),
                 "a damaged store filed a run under something else");
  }
}

/// `choice`, from 0 to 7: what a search looks at. Half of what an input costs is that SQLite reads statements, and
/// check() has the most.
void read_all(History& history, const std::string& written, unsigned choice) {
  if (kReplays || choice == 0) history.check();
  if (kReplays || (choice > 0 && choice < 6)) read_runs(history, written);
  if (kReplays || choice >= 6) {
    accepted([&] { return history.all_series(); });
    accepted([&] { return history.size(); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const SoundStore store;
  static const std::string sound = store.bytes();
  // What SQLite gives back it wants again at once. Sanitizers have an allocator of their own.
  [[maybe_unused]] static const int kept = mallopt(M_TRIM_THRESHOLD, 1 << 26);
  std::string bytes = sound;
  for (Recipe recipe(as_text(data, size)); !recipe.empty();) {
    const size_t at = recipe.next() * size_t{256} + recipe.next();
    bytes[at % bytes.size()] = static_cast<char>(recipe.next());
  }
  for (const char* beside : {"-journal", "-wal", "-shm"}) std::filesystem::remove(store.path().string() + beside);
  std::ofstream(store.path(), std::ios::binary) << bytes;
  accepted([&] {
    History history(store.url(), OpenMode::kRead);
    read_all(history, store.written(), std::accumulate(data, data + size, 0U) % 8);
    return true;
  });
  return 0;
}
