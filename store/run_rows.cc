#include "icount/store/run_rows.h"

#include <fmt/format.h>

#include <initializer_list>

#include "icount/base/error.h"
#include "icount/base/hash.h"
#include "icount/base/text.h"

namespace icount {
namespace {

/// Hashes of parents as a row of commits has them.
std::string join_parents(const CommitInfo& commit) {
  std::string joined;
  for (const std::string& parent : commit.parents) joined += (joined.empty() ? "" : " ") + parent;
  return joined;
}

/// Each text with its length, so that none can take characters from its neighbour.
std::string seal_of(std::initializer_list<std::string_view> texts) {
  std::string all;
  all.reserve(512);
  for (const std::string_view text : texts) {
    const fmt::format_int size(text.size());
    all.append(size.data(), size.size()).append(":").append(text).append("\n");
  }
  return content_hash(all);
}

/// Of hash, parents, time and subject.
std::string commit_seal(const CommitInfo& commit) {
  return seal_of(
      {"commit", commit.hash, join_parents(commit), fmt::format_int(commit.unix_time).str(), commit.subject});
}

}  // namespace

std::string run_seal(const RunInfo& run, std::string_view identity) {
  return seal_of({"run", fmt::format_int(run.id).str(), identity, run.tag.commit.hash, run.tag.branch, run.tag.name,
                  fmt::format_int(run.tag.unix_time).str(), run.command, fmt::format_int(run.results).str()});
}

namespace {

using RunRows = Rows<int64_t, std::string, std::string, int64_t, std::string, int64_t, std::string, std::string,
                     std::optional<std::string>, std::optional<std::string>, std::optional<int64_t>,
                     std::optional<std::string>, std::optional<std::string>>;

std::string run_query(bool sealed) {
  return fmt::format(
      "SELECT r.run_id, r.branch, r.name, r.unix_time, r.command, r.results, r.identity, {}, c.hash, c.parents, "
      "c.unix_time, c.subject, {} FROM runs r LEFT JOIN commits c ON c.commit_id = r.commit_id",
      sealed ? "r.seal" : "''", sealed ? "c.seal" : "''");
}

CommitInfo make_commit(std::string hash, const std::string& parents, int64_t unix_time, std::string subject) {
  CommitInfo commit{.hash = std::move(hash), .parents = {}, .unix_time = unix_time, .subject = std::move(subject)};
  if (!parents.empty())
    for (const std::string_view parent : split(parents, ' ')) commit.parents.emplace_back(parent);
  return commit;
}

RunRow read_row(const RunRows::Row& row, bool sealed) {
  const auto& [id, branch, name, unix_time, command, results, identity, seal, hash, parents, commit_time, subject,
               commit_seal_then] = row;
  RunRow run{.info = {.id = id, .tag = {}, .command = command, .results = results, .damage = {}}, .identity = identity};
  run.info.tag = {.commit = {}, .branch = branch, .name = name, .unix_time = unix_time};
  if (hash)
    run.info.tag.commit = make_commit(*hash, parents.value_or(""), commit_time.value_or(0), subject.value_or(""));
  if (!sealed) return run;
  if (seal != run_seal(run.info, identity))
    run.info.damage = "its row was changed since it was stored (number, branch, name, time, command or commit)";
  else if (hash && commit_seal_then != commit_seal(run.info.tag.commit))
    run.info.damage = fmt::format("its commit {} was changed since it was stored (parents, time or subject)", *hash);
  return run;
}

struct CommitRow {
  int64_t id = 0;
  CommitInfo commit;
  std::string seal;
  bool fits() const { return seal == commit_seal(commit); }
};

/// Rows of commits that satisfy `condition`, which may have one parameter.
template <typename... Parameters>
std::vector<CommitRow> read_commits(Database& database, std::string_view condition, const Parameters&... parameters) {
  Rows<int64_t, std::string, std::string, int64_t, std::string, std::string> rows(
      database, fmt::format("SELECT commit_id, hash, parents, unix_time, subject, seal FROM commits {}", condition),
      parameters...);
  std::vector<CommitRow> commits;
  while (const auto row = rows.next()) {
    const auto& [id, hash, parents, unix_time, subject, seal] = *row;
    commits.push_back({id, make_commit(hash, parents, unix_time, subject), seal});
  }
  return commits;
}

std::string commit_damage(const CommitRow& row) {
  return fmt::format("commit {} was changed since it was stored (hash, parents, time or subject); the store is damaged",
                     row.commit.hash);
}

/// Fills in what the row does not know; whether that was anything.
bool fill_in(CommitInfo& known, const CommitInfo& told) {
  const CommitInfo before = known;
  if (known.parents.empty()) known.parents = told.parents;
  if (known.unix_time == 0) known.unix_time = told.unix_time;
  if (known.subject.empty()) known.subject = told.subject;
  return known != before;
}

}  // namespace

std::vector<RunRow> read_run_rows(Database& database, bool sealed) {
  RunRows rows(database, run_query(sealed));
  std::vector<RunRow> runs;
  while (const auto row = rows.next()) runs.push_back(read_row(*row, sealed));
  return runs;
}

std::optional<RunRow> read_run_row(Database& database, bool sealed, int64_t run) {
  RunRows rows(database, run_query(sealed) + " WHERE r.run_id = :run", run);
  std::optional<RunRow> found;
  while (const auto row = rows.next()) found = read_row(*row, sealed);
  return found;
}

int64_t add_commit_row(Database& database, const CommitInfo& commit) {
  std::vector<CommitRow> found = read_commits(database, "WHERE hash = :hash", commit.hash);
  if (!found.empty()) {
    CommitRow& row = found.front();
    if (!row.fits()) database.fail(ErrorKind::kMalformed, commit_damage(row));
    if (fill_in(row.commit, commit))
      Statement(database,
                "UPDATE commits SET parents = :parents, unix_time = :time, subject = :subject, seal = :seal "
                "WHERE commit_id = :id",
                "titti")
          .set(0, join_parents(row.commit))
          .set(1, row.commit.unix_time)
          .set(2, row.commit.subject)
          .set(3, commit_seal(row.commit))
          .set(4, row.id)
          .run();
    return row.id;
  }
  const int64_t id = database.integer("SELECT max(commit_id) FROM commits").value_or(0) + 1;
  Statement(database,
            "INSERT INTO commits (commit_id, hash, parents, unix_time, subject, seal) VALUES (:id, :hash, :parents, "
            ":time, :subject, :seal)",
            "ittitt")
      .set(0, id)
      .set(1, commit.hash)
      .set(2, join_parents(commit))
      .set(3, commit.unix_time)
      .set(4, commit.subject)
      .set(5, commit_seal(commit))
      .run();
  return id;
}

std::vector<std::string> check_commit_rows(Database& database) {
  std::vector<std::string> problems;
  for (const CommitRow& row :
       read_commits(database, "WHERE commit_id NOT IN (SELECT commit_id FROM runs WHERE commit_id IS NOT NULL)"))
    if (!row.fits()) problems.push_back(fmt::format("{}: {}", database.url().text, commit_damage(row)));
  return problems;
}

void seal_all_rows(Database& database) {
  Statement commit(database, "UPDATE commits SET seal = :seal WHERE commit_id = :id", "ti");
  for (const CommitRow& row : read_commits(database, "")) commit.set(0, commit_seal(row.commit)).set(1, row.id).run();
  Statement run(database, "UPDATE runs SET seal = :seal WHERE run_id = :id", "ti");
  for (const RunRow& row : read_run_rows(database, false))
    run.set(0, run_seal(row.info, row.identity)).set(1, row.info.id).run();
}

}  // namespace icount
