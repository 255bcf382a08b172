// A small bytecode machine whose operations call back into the loop: one recursive cluster. SLOW_SHIFT makes one
// operation dearer, MORE_CALLS makes the program call its subroutine twice.
#include <cstdint>
#include <cstdio>
#include <vector>

struct Machine;
using Operation = long (*)(Machine&, long);
struct Machine {
  std::vector<uint8_t> code;
  std::vector<Operation> table;
  long depth = 0;
};

__attribute__((noinline)) long run(Machine& machine, size_t at, long value) {
  for (; machine.code[at] != 255; ++at) value = machine.table[machine.code[at]](machine, value);
  return value;
}
__attribute__((noinline)) long op_add(Machine&, long value) { return value + 17; }
__attribute__((noinline)) long op_shift(Machine&, long value) {
#ifdef SLOW_SHIFT
  for (int i = 0; i < 12; ++i) value = (value << 1) ^ (value >> 63);
#endif
  return value ^ (value << 3);
}
__attribute__((noinline)) long op_fold(Machine&, long value) { return value % 1000003; }
__attribute__((noinline)) long op_call(Machine& machine, long value) {
  if (machine.depth >= 3) return value;
  ++machine.depth;
  value = run(machine, 1, value);
#ifdef MORE_CALLS
  value = run(machine, 1, value);
#endif
  --machine.depth;
  return value;
}
__attribute__((noinline)) long op_loop(Machine& machine, long value) {
  for (int i = 0; i < 4; ++i) value = op_call(machine, value);
  return value;
}

int main() {
  Machine machine;
  machine.table = {op_add, op_shift, op_fold, op_call, op_loop};
  machine.code = {4, 0, 1, 2, 0, 1, 3, 2, 0, 255};
  long value = 1;
  for (int i = 0; i < 200; ++i) value = run(machine, 0, value);
  std::printf("%ld\n", value);
}
