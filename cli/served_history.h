// What `icount serve` shows: a store as it is now, or a folder of result files, which is read into a store of its own.
// Pages are report/served_pages.h's, HTTP is base/http_server.h's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "icount/base/http_server.h"
#include "icount/base/scratch_dir.h"
#include "icount/console/command_spec.h"
#include "icount/report/served_pages.h"
#include "icount/store/history.h"

namespace icount {

class ServedStore {
 public:
  /// `given`: a folder or a store (store/store_url.h); empty: the store that ICOUNT_STORE names or the nearest one. A
  /// folder with .icount/history.sqlite in it is that store; of another one, every result file in it, which is not
  /// looked for again. Error{kUsage} for a folder without results. Files that are none are passed over, damaged ones
  /// with a warning.
  ServedStore(const std::string& given, size_t newest, CommandContext& context);

  const std::string& name() const { return name_; }
  /// Answers a request: "/", "/benchmark?key=K", "/report?[base=ID&]head=ID[&benchmark=K]".
  HttpAnswer answer(const HttpTarget& target);

 private:
  void import_folder(const std::string& folder, CommandContext& context);
  ServedHistory overview();
  HttpAnswer benchmark_page(const std::string& key);
  HttpAnswer report_page(const HttpTarget& target);
  ResultFile load(int64_t run, const std::string& benchmark);

  std::string name_;
  size_t newest_;
  std::optional<ScratchDir> scratch_;
  std::optional<History> history_;
};

}  // namespace icount
