// The environment block of a process as a value: cli reads its own once and passes it on, so that everything below can
// be tested with another one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icount {

/// NAME=VALUE entries in the order they were given.
class Environment {
 public:
  Environment() = default;
  explicit Environment(std::vector<std::string> block) : block_(std::move(block)) {}

  /// The value of the first entry of that name; nullopt when there is none.
  std::optional<std::string> get(std::string_view name) const;
  /// Replaces or appends.
  void set(std::string_view name, std::string_view value);
  const std::vector<std::string>& block() const { return block_; }

 private:
  std::vector<std::string> block_;
};

/// A copy of this process's block. Called by cli and by tests, never below.
Environment current_environment();

}  // namespace icount
