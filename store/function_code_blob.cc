#include "icount/store/function_code_blob.h"

#include <initializer_list>
#include <utility>

namespace icount {
namespace {

/// Unknown functions come after all known ones.
uint64_t number_of(FunctionIndex function) { return function == kUnknownFunction ? 0 : uint64_t{function} + 1; }

FunctionIndex take_function(ByteReader& in, size_t functions) {
  const uint64_t number = in.take_unsigned();
  if (number > functions) in.fail("an index is out of range");
  return number == 0 ? kUnknownFunction : static_cast<FunctionIndex>(number - 1);
}

int64_t take_times(ByteReader& in) {
  const int64_t times = in.take_signed();
  if (times < 0) in.fail("a negative number of times");
  return times;
}

/// Addresses as differences to the one above; both ends of a jump lie near each other.
class Addresses {
 public:
  void put(ByteWriter& out, uint64_t address) {
    out.put_signed(static_cast<int64_t>(address - above_));
    above_ = address;
  }
  uint64_t take(ByteReader& in) { return above_ += static_cast<uint64_t>(in.take_signed()); }

 private:
  uint64_t above_ = 0;
};

void put_rows(ByteWriter& out, const FunctionCode& code, size_t events) {
  out.put_unsigned(code.rows.size());
  Addresses addresses;
  int64_t line = 0, above = 0;
  for (size_t r = 0; r < code.rows.size(); ++r) {
    const CodeRow& row = code.rows[r];
    addresses.put(out, row.address);
    out.put_unsigned(row.file);
    out.put_signed(static_cast<int64_t>(row.line) - line);
    out.put_signed(row.executions - above);
    for (size_t e = 0; e < events; ++e) out.put_signed(code.self[r * events + e] - row.executions);
    line = static_cast<int64_t>(row.line);
    above = row.executions;
  }
}

int64_t add(ByteReader& in, int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) in.fail("a number is too large");
  return sum;
}

void take_rows(ByteReader& in, FunctionCode& code, size_t files, size_t events) {
  code.rows.resize(in.take_count(4 + events));
  Addresses addresses;
  int64_t line = 0, above = 0;
  for (CodeRow& row : code.rows) {
    row.address = addresses.take(in);
    const uint64_t file = in.take_unsigned();
    if (file >= files) in.fail("an index is out of range");
    row.file = static_cast<uint32_t>(file);
    line = add(in, line, in.take_signed());
    above = add(in, above, in.take_signed());
    if (line < 0 || above < 0) in.fail("a negative line or number of executions");
    row.line = static_cast<uint64_t>(line);
    row.executions = above;
    for (size_t e = 0; e < events; ++e) code.self.push_back(add(in, above, in.take_signed()));
  }
}

/// Behind the functions: what object files said. Rows of a function that follow each other mostly agree.
void put_names(ByteWriter& out, const ProfileCode& code) {
  out.put_unsigned(code.objects.size());
  for (const CodeObject& object : code.objects) {
    for (const std::string* text : {&object.name, &object.path, &object.identity, &object.producer})
      out.put_text(*text);
    out.put_signed(static_cast<int64_t>(object.load_bias));
    out.put_unsigned(object.has_names ? 1 : 0);
  }
  out.put_unsigned(code.inlined.size());
  for (const InlinedCode& one : code.inlined) {
    out.put_text(one.name);
    out.put_unsigned(one.file);
    out.put_unsigned(one.line);
    out.put_unsigned(one.call_line);
    out.put_unsigned(one.outer);
  }
  for (const FunctionCode& function : code.functions) {
    int64_t above = 0;
    for (const CodeRow& row : function.rows) {
      out.put_signed(int64_t{row.inlined} - above);
      above = row.inlined;
    }
  }
}

void take_names(ByteReader& in, ProfileCode& code) {
  code.objects.resize(in.take_count(6));
  for (CodeObject& object : code.objects) {
    for (std::string* text : {&object.name, &object.path, &object.identity, &object.producer}) *text = in.take_text();
    object.load_bias = static_cast<uint64_t>(in.take_signed());
    object.has_names = in.take_unsigned() != 0;
  }
  code.inlined.resize(in.take_count(5));
  for (size_t i = 0; i < code.inlined.size(); ++i) {
    InlinedCode& one = code.inlined[i];
    one.name = in.take_text();
    const uint64_t file = in.take_unsigned();
    one.line = in.take_unsigned();
    one.call_line = in.take_unsigned();
    const uint64_t outer = in.take_unsigned();
    if (file >= code.files.size() || outer > i) in.fail("an index is out of range");
    one.file = static_cast<uint32_t>(file);
    one.outer = static_cast<uint32_t>(outer);
  }
  for (FunctionCode& function : code.functions) {
    int64_t above = 0;
    for (CodeRow& row : function.rows) {
      above = add(in, above, in.take_signed());
      if (above < 0 || static_cast<uint64_t>(above) > code.inlined.size()) in.fail("an index is out of range");
      row.inlined = static_cast<uint32_t>(above);
    }
  }
}

}  // namespace

void put_function_code(ByteWriter& out, const ProfileCode& code) {
  out.put_unsigned(code.files.size());
  for (const std::string& file : code.files) out.put_text(file);
  out.put_unsigned(code.functions.size());
  for (const FunctionCode& one : code.functions) {
    out.put_unsigned(number_of(one.function));
    put_rows(out, one, code.events);
    Addresses addresses;
    out.put_unsigned(one.jumps.size());
    for (const CodeJump& jump : one.jumps) {
      addresses.put(out, jump.from);
      out.put_unsigned(number_of(jump.to_function));
      addresses.put(out, jump.to);
      out.put_signed(jump.followed);
    }
    out.put_unsigned(one.calls.size());
    for (const CodeCall& call : one.calls) {
      addresses.put(out, call.from);
      out.put_unsigned(number_of(call.callee));
      out.put_signed(static_cast<int64_t>(call.to));
      out.put_signed(call.calls);
    }
    out.put_unsigned(one.entries.size());
    for (const CodeEntry& entry : one.entries) {
      addresses.put(out, entry.to);
      out.put_unsigned(number_of(entry.from_function) * 2 + (entry.by_jump ? 1 : 0));
      out.put_signed(entry.times);
    }
  }
  if (!code.objects.empty()) put_names(out, code);
}

ProfileCode take_function_code(ByteReader& in, size_t functions, size_t events) {
  constexpr size_t kLeastBytes = 5;
  ProfileCode code{.events = events};
  code.files.resize(in.take_count());
  for (std::string& file : code.files) file = in.take_text();
  code.functions.resize(in.take_count(kLeastBytes));
  for (FunctionCode& one : code.functions) {
    one.function = take_function(in, functions);
    if (one.function == kUnknownFunction) in.fail("an index is out of range");
    take_rows(in, one, code.files.size(), events);
    Addresses addresses;
    one.jumps.resize(in.take_count(4));
    for (CodeJump& jump : one.jumps) {
      jump.from = addresses.take(in);
      jump.to_function = take_function(in, functions);
      jump.to = addresses.take(in);
      jump.followed = take_times(in);
    }
    one.calls.resize(in.take_count(4));
    for (CodeCall& call : one.calls) {
      call.from = addresses.take(in);
      call.callee = take_function(in, functions);
      call.to = static_cast<uint64_t>(in.take_signed());
      call.calls = take_times(in);
    }
    one.entries.resize(in.take_count(3));
    for (CodeEntry& entry : one.entries) {
      entry.to = addresses.take(in);
      const uint64_t number = in.take_unsigned();
      if (number / 2 > functions) in.fail("an index is out of range");
      entry.from_function = number / 2 == 0 ? kUnknownFunction : static_cast<FunctionIndex>(number / 2 - 1);
      entry.by_jump = number % 2 == 1;
      entry.times = take_times(in);
    }
  }
  if (!in.at_end()) take_names(in, code);  // results before object files were looked at end here
  sort_functions(code);
  return code;
}

}  // namespace icount
