// A TimeSource that plays back a script of blocks, or answers with a function; no clock is read.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "icount/timer/autorange.h"

namespace icount {

/// Plays [number, seconds] pairs in order and expects to be asked for exactly those.
class ScriptedTimeSource : public TimeSource {
 public:
  struct Block {
    int64_t number = 0;
    double seconds = 0;
  };
  explicit ScriptedTimeSource(std::vector<Block> script) : script_(std::move(script)) {}

  double run_block(int64_t number) override {
    if (next_ >= script_.size()) {
      ADD_FAILURE() << "block " << next_ << " of " << number << " runs is beyond the script";
      return 1e6;  // long enough to end every loop
    }
    EXPECT_EQ(number, script_[next_].number) << "block " << next_;
    return script_[next_++].seconds;
  }

  bool is_played() const { return next_ == script_.size(); }

 private:
  std::vector<Block> script_;
  size_t next_ = 0;
};

/// Seconds of a block as a function of its number of runs and its index (from 0, empty blocks count too).
class ModelTimeSource : public TimeSource {
 public:
  explicit ModelTimeSource(std::function<double(int64_t number, size_t index)> model) : model_(std::move(model)) {}
  double run_block(int64_t number) override { return model_(number, blocks_++); }
  size_t blocks() const { return blocks_; }

 private:
  std::function<double(int64_t, size_t)> model_;
  size_t blocks_ = 0;
};

}  // namespace icount
