#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "icount/base/error.h"
#include "icount/base/file.h"
#include "icount/base/spawn.h"
#include "icount/inputs/measure_program.h"

namespace icount {
namespace {

ProgramInputOptions from(Pipe& pipe, std::string_view bytes, bool ends = true) {
  EXPECT_EQ(::write(pipe.write_end, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  if (ends) Pipe::close_end(pipe.write_end);
  ProgramInputOptions options;
  options.descriptor = pipe.read_end;
  return options;
}

TEST(ProgramInputTest, WhatComesThroughAPipeIsKeptToItsEnd) {
  Pipe pipe, empty;
  const ProgramInput input(from(pipe, std::string_view("a\0b\n", 4)));
  EXPECT_EQ(load_text(input.path()), std::string("a\0b\n", 4));
  EXPECT_EQ(ProgramInput(from(empty, "")).path(), "");
  ProgramInputOptions closed;
  closed.descriptor = 1'000'000;
  EXPECT_EQ(ProgramInput(closed).path(), "");
}

TEST(ProgramInputTest, TheLimitIsTheLastSizeThatIsAllowed) {
  for (const bool of_file : {false, true}) {
    const ScratchDir folder;
    const auto file = folder.path() / "input";
    save_file(file, "12345");
    for (const int64_t limit : {4, 5}) {
      Pipe pipe;
      ProgramInputOptions options = from(pipe, "12345");
      if (of_file) options.file = file.string();
      options.limit = limit;
      if (limit == 5)
        EXPECT_EQ(load_text(ProgramInput(options).path()), "12345");
      else
        EXPECT_THROW(ProgramInput{options}, Error);
    }
  }
}

TEST(ProgramInputTest, AnInputThatNeverEndsMeetsTheTimeLimit) {
  Pipe pipe;
  ProgramInputOptions options = from(pipe, "x", false);
  options.time_limit_s = 0.2;
  try {
    const ProgramInput input(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_NE(std::string(error.what()).find("standard input did not end within 0.2 s"), std::string::npos);
  }
  options.time_limit_s = 0;
  options.cancelled = [] { return true; };
  EXPECT_THROW(ProgramInput{options}, Error);
}

TEST(ProgramInputTest, WhatIsNoFileIsSaid) {
  ProgramInputOptions options;
  options.file = "/";
  EXPECT_THROW(ProgramInput{options}, Error);
  options.file = "/no/such/file";
  EXPECT_THROW(ProgramInput{options}, Error);
}

}  // namespace
}  // namespace icount
