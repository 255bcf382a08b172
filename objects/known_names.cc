#include "icount/objects/known_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <system_error>
#include <utility>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/hash.h"
#include "icount/base/program_paths.h"
#include "icount/harness/build_cache.h"
#include "icount/harness/elf_file.h"

namespace icount {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "icount names 1\n";
constexpr size_t kHash = 32;
// Smaller objects are read in a few milliseconds. Separate files are packed.
constexpr uintmax_t kSmallest = uintmax_t{1} << 20;
constexpr size_t kMostKept = 2'000'000;

std::mutex folder_mutex;
fs::path cache_folder;

fs::path kept_in() {
  const std::lock_guard lock(folder_mutex);
  return cache_folder;
}

/// Other bytes at the same place have another inode or another time of change, which no program can set.
std::string describe_file(const fs::path& path) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return "none\n";
  return fmt::format("{} {} {}.{} {}.{} {}\n", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec, path.string());
}

/// All that the names of an object hang on; empty where they are not worth keeping.
std::string describe_sources(const fs::path& object) {
  const fs::path separate = separate_debug_file(load_build_id(object));
  std::error_code error;
  if (!fs::exists(separate, error) && (fs::file_size(object, error) < kSmallest || error)) return {};
  return fmt::format("{}\n{}{}{}", load_file_identity(object), describe_file(object), describe_file(separate),
                     describe_file(own_file()));
}

fs::path entry_of(const fs::path& cache, std::string_view sources) {
  return cache / "entries" / ("names-" + content_hash(sources));
}

// Numbers of seven bits a byte, the lowest first, and texts by their lengths.

void put(std::string& out, uint64_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}
void put(std::string& out, const std::string& text) {
  put(out, text.size());
  out += text;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    is_whole_ = false;
    return 0;
  }
  /// Of something that has `below` different ones.
  uint32_t number_below(uint64_t below) {
    const uint64_t value = number();
    is_whole_ = is_whole_ && value < below;
    return is_whole_ ? static_cast<uint32_t>(value) : 0;
  }
  std::string text() {
    const uint64_t size = number();
    is_whole_ = is_whole_ && size <= bytes_.size();
    if (!is_whole_) return {};
    std::string value(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return value;
  }
  bool is_whole() const { return is_whole_; }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool is_whole_ = true;
};

bool is_before(const KnownAddress& a, const KnownAddress& b) { return a.address < b.address; }

/// Numbers in the order in which they are asked for.
class Renumbering {
 public:
  explicit Renumbering(size_t size) : numbers_(size) {}
  bool known(uint32_t old) const { return numbers_[old] != 0; }
  /// 1 + the number; whether it is the first time.
  std::pair<uint32_t, bool> of(uint32_t old) {
    const bool fresh = numbers_[old] == 0;
    if (fresh) numbers_[old] = ++next_;
    return {numbers_[old], fresh};
  }

 private:
  std::vector<uint32_t> numbers_;
  uint32_t next_ = 0;
};

}  // namespace

void keep_names_in(const fs::path& cache) {
  const std::lock_guard lock(folder_mutex);
  cache_folder = cache;
}

void KnownNames::load() {
  const fs::path cache = kept_in();
  if (cache.empty()) return;
  ignore_failures([&] {
    sources_ = describe_sources(object_);
    std::error_code error;
    const fs::path entry = entry_of(cache, sources_);
    if (sources_.empty() || !fs::exists(entry / "names", error)) return;
    make_folder_in_cache(cache, "entries");  // whose owner is to be trusted
    if (parse(map_file(entry / "names").view()))
      ::utimensat(AT_FDCWD, entry.c_str(), nullptr, 0);  // just used
    else
      fs::remove_all(entry, error);
  });
}

void KnownNames::save() const {
  const fs::path cache = kept_in();
  if (cache.empty() || sources_.empty() || producers.all.empty() || known_.size() > kMostKept) return;
  ignore_failures([&] {
    if (describe_sources(object_) != sources_) return;
    const fs::path entry = entry_of(cache, sources_);
    make_folder_in_cache(cache, "entries");
    fs::create_directory(entry);
    const std::string bytes = make_bytes();
    TemporaryBeside fresh(entry / "names", entry / "names");  // what a loss of power leaves, its hash refuses
    if (::write(fresh.descriptor(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()))
      fresh.take_place();
  });
}

std::vector<uint64_t> KnownNames::find_unknown(std::span<const uint64_t> addresses, DebugDetail detail) const {
  std::vector<uint64_t> unknown;
  auto at = known_.begin();
  for (const uint64_t address : addresses) {
    while (at != known_.end() && at->address < address) ++at;
    if (at == known_.end() || at->address != address || at->detail < detail) unknown.push_back(address);
  }
  return unknown;
}

void KnownNames::add(std::vector<KnownAddress> rows) {
  const auto old = static_cast<std::ptrdiff_t>(known_.size());
  for (const KnownAddress& row : rows) {
    const auto end = known_.begin() + old, at = std::lower_bound(known_.begin(), end, row, is_before);
    if (at != end && at->address == row.address)
      *at = row;
    else
      known_.push_back(row);
  }
  std::inplace_merge(known_.begin(), known_.begin() + old, known_.end(), is_before);
}

std::optional<DebugNames> KnownNames::find(std::span<const uint64_t> addresses, DebugDetail detail) const {
  DebugNames names;
  Renumbering new_files(files.all.size()), new_inlined(inlined.all.size());
  const auto number_of = [&](auto&& self, uint32_t old) -> uint32_t {
    if (old == 0) return 0;
    const uint32_t outer = new_inlined.known(old - 1) ? 0 : self(self, inlined.all[old - 1].outer);
    const auto [number, fresh] = new_inlined.of(old - 1);
    if (fresh) {
      names.inlined.push_back(inlined.all[old - 1]);
      names.inlined.back().outer = outer;
    }
    return number;
  };
  std::vector<size_t> produced(producers.all.size() + 1);
  auto at = known_.begin();
  for (const uint64_t address : addresses) {
    while (at != known_.end() && at->address < address) ++at;
    AddressLine& line = names.lines.emplace_back();
    names.inlined_at.push_back(0);
    if (at == known_.end() || at->address != address) continue;
    ++produced[at->producer];
    if (detail == DebugDetail::kLinesAndInlined) names.inlined_at.back() = number_of(number_of, at->inlined);
    if (at->line == 0) continue;
    const auto [file, fresh] = new_files.of(at->file);
    if (fresh) names.files.push_back(files.all[at->file]);
    line = {file - 1, at->line};
  }
  size_t most = 0;
  for (size_t i = 0; i < producers.all.size(); ++i) {
    const size_t count = produced[i + 1];
    if (count == 0 || count < most || (count == most && producers.all[i] > names.producer)) continue;
    most = count;
    names.producer = producers.all[i];
  }
  if (most == 0) return std::nullopt;
  return names;
}

std::string KnownNames::make_bytes() const {
  std::string body;
  for (const auto* texts : {&files.all, &producers.all}) {
    put(body, texts->size());
    for (const std::string& text : *texts) put(body, text);
  }
  NumberedList<std::string> declared;  // in
  for (const InlinedFunction& one : inlined.all) declared.of(one.file);
  put(body, declared.all.size());
  for (const std::string& file : declared.all) put(body, file);
  put(body, inlined.all.size());
  for (const InlinedFunction& one : inlined.all) {
    put(body, one.name);
    for (const uint64_t number : {uint64_t{declared.of(one.file)}, one.line, one.call_line, uint64_t{one.outer}})
      put(body, number);
  }
  put(body, known_.size());
  uint64_t before = 0;
  for (const KnownAddress& row : known_) {
    put(body, row.address - std::exchange(before, row.address));
    put(body, uint64_t{row.producer} * 2 + (row.detail == DebugDetail::kLinesAndInlined));
    if (row.producer == 0) continue;
    put(body, row.line);
    if (row.line != 0) put(body, row.file);
    put(body, row.inlined);
  }
  return fmt::format("{}{}{}", kFirstLine, content_hash(body), body);
}

bool KnownNames::parse(std::string_view bytes) {
  const size_t head = kFirstLine.size() + kHash;
  if (!bytes.starts_with(kFirstLine) || bytes.size() < head ||
      content_hash(bytes.substr(head)) != bytes.substr(kFirstLine.size(), kHash))
    return false;
  KnownNames read(object_);
  std::vector<std::string> declared;
  Reader in(bytes.substr(head));
  for (auto* texts : {&read.files.all, &read.producers.all, &declared})
    for (uint64_t left = in.number(); left > 0 && in.is_whole(); --left) texts->push_back(in.text());
  for (uint64_t left = in.number(); left > 0 && in.is_whole(); --left) {
    InlinedFunction one{.name = in.text()};
    const uint32_t file = in.number_below(declared.size());
    one.line = in.number();
    one.call_line = in.number();
    one.outer = in.number_below(read.inlined.all.size() + 1);
    if (!in.is_whole()) return false;
    one.file = declared[file];
    read.inlined.all.push_back(std::move(one));
  }
  uint64_t address = 0;
  for (uint64_t left = in.number(); left > 0 && in.is_whole(); --left) {
    KnownAddress row{.address = address += in.number()};
    const uint64_t kind = in.number();
    row.detail = kind % 2 == 1 ? DebugDetail::kLinesAndInlined : DebugDetail::kLines;
    if (kind / 2 > read.producers.all.size() || (!read.known_.empty() && address <= read.known_.back().address))
      return false;
    row.producer = static_cast<uint32_t>(kind / 2);
    if (row.producer != 0) {
      row.line = in.number();
      if (row.line != 0) row.file = in.number_below(read.files.all.size());
      row.inlined = in.number_below(read.inlined.all.size() + 1);
    }
    read.known_.push_back(row);
  }
  if (!in.is_whole() || !in.is_at_end()) return false;
  read.sources_ = sources_;
  *this = std::move(read);
  return true;
}

}  // namespace icount
