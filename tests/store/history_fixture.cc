#include "store/history_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "icount/base/error.h"
#include "support/graph_builder.h"
#include "support/postgresql_server.h"

namespace icount {

void HistoryFixture::SetUp() {
  if (postgresql()) {
    if (const std::string missing = PostgresqlServer::missing(); !missing.empty()) GTEST_SKIP() << missing;
    url_ = parse_store_url(PostgresqlServer::shared().new_database());
  } else {
    url_ = parse_store_url((dir_.path() / "history.sqlite").string());
  }
}

StoreUrl HistoryFixture::another_store() {
  return parse_store_url(postgresql() ? PostgresqlServer::shared().new_database()
                                      : (dir_.path() / "other.sqlite").string());
}

ResultFile sample_run(int64_t shift, int count) {
  ResultFile file;
  file.command = "icount suite run";
  file.planned = count;
  file.fingerprint.set("suite", "sample", FactClass::kNameOnly);
  for (int i = 0; i < count; ++i) {
    GraphBuilder builder;
    builder.function("main", 100 + i).calls("main", "work", 10, 5000);
    // Enough functions with names of their own that a difference is worth its while.
    for (int f = 0; f < 60; ++f) {
      const std::string name = "function_" + std::to_string(f * 7919 % 997) + "(int, std::vector<double> const&)";
      builder.function(name, 1000 + 37 * f).calls("work", name, 10 + f, 1000 + 37 * f);
    }
    builder.function("work", 5000 + shift);
    Result result;
    result.label = {"group", "b" + std::to_string(i)};
    result.task.stmt = "work(" + std::to_string(i) + ")";
    result.number_per_run = 100;
    result.graph = std::make_shared<const CostGraph>(builder.graph());
    result.counts = {result.graph->totals[0], result.graph->totals[0]};
    result.slope = 9.875;
    result.fixed = 12.0;
    result.extra = R"({"key":"work","position":)" + std::to_string(i) + R"(,"unix_time":1700000000})";
    result.fingerprint.set("valgrind", "3.19.0", FactClass::kRefuse);
    file.results.push_back(std::move(result));
  }
  return file;
}

RunTag tag_at(char hash, int64_t time, std::string parents) {
  RunTag tag{.branch = "main", .unix_time = time};
  tag.commit = {.hash = std::string(40, hash), .unix_time = time, .subject = std::string("commit ") + hash};
  for (const char parent : parents) tag.commit.parents.emplace_back(40, parent);
  return tag;
}

pid_t in_process(const std::function<void()>& work) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  int status = 0;
  try {
    work();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    status = 1;
  }
  ::_exit(status);
}

bool ended_well(pid_t pid) {
  int status = -1;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace icount
