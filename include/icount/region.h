// Names a part of a program, for `icount count`: every region becomes a result of its own. C99 and C++11, one header,
// nothing to link, no other header of icount or Valgrind.
//
//   #include "icount/region.h"
//   ICOUNT_REGION("parse") { parse(text); }
//
// A region costs what runs between its begin and its end, with everything that is called from there and with the
// regions inside of it; a name that is entered several times is added up, and entries are counted. Of a name inside of
// itself (recursion) only the outermost one counts cost. Names are text of one line.
//
// Outside of Valgrind a begin and an end are a handful of instructions each that do nothing; with NVALGRIND defined
// they are not there at all. Under Valgrind each makes Callgrind write a dump, about a millisecond: name what runs
// thousands of times, not millions. How it works: docs/programs.md.
//
// Supported: GCC and Clang on x86-64 and AArch64 Linux; elsewhere regions do nothing, and ICOUNT_REGION_WORKS is 0.
#ifndef ICOUNT_REGION_H
#define ICOUNT_REGION_H

#if !defined(NVALGRIND) && defined(__GNUC__) && defined(__linux__) && \
    ((defined(__x86_64__) && !defined(__ILP32__)) || defined(__aarch64__))
#define ICOUNT_REGION_WORKS 1
#else
#define ICOUNT_REGION_WORKS 0
#endif

#if ICOUNT_REGION_WORKS

/* Valgrind's client request, as its manual fixes it for each processor: rotations that add up to nothing, and an
   exchange of a register with itself. What Valgrind does not run leaves `otherwise` as it is. */
static inline __attribute__((always_inline, unused)) unsigned long icount_region_request(unsigned long code,
                                                                                         const char* text,
                                                                                         unsigned long otherwise) {
  volatile unsigned long request[6];
  unsigned long result;
  request[0] = code;
  request[1] = (unsigned long)text;
  request[2] = 0;
  request[3] = 0;
  request[4] = 0;
  request[5] = 0;
#if defined(__x86_64__)
  __asm__ volatile("rolq $3, %%rdi ; rolq $13, %%rdi\n\trolq $61, %%rdi ; rolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                   : "=d"(result)
                   : "a"(&request[0]), "0"(otherwise)
                   : "cc", "memory");
#else
  __asm__ volatile(
      "mov x3, %1\n\tmov x4, %2\n\tror x12, x12, #3 ; ror x12, x12, #13\n\tror x12, x12, #51 ; ror x12, x12, #61\n\t"
      "orr x10, x10, x10\n\tmov %0, x3"
      : "=r"(result)
      : "r"(otherwise), "r"(&request[0])
      : "cc", "memory", "x3", "x4");
#endif
  return result;
}

/* CALLGRIND_DUMP_STATS_AT(text): what was counted since the dump before is written, and named `text`. */
static inline __attribute__((always_inline, unused)) void icount_region_dump(const char* text) {
  icount_region_request(0x43540003UL, text, 0);
}

/* A name that is known at run time only. What it takes to put the marker together is counted in no region. */
static __attribute__((noinline, unused)) void icount_region_dump_named(char sign, const char* name) {
  char text[256] = "icount-region? ";
  unsigned long at = 15;
  text[13] = sign;
  for (; *name != 0 && at < sizeof text - 1; ++name, ++at) text[at] = (unsigned char)*name < ' ' ? '?' : *name;
  text[at] = 0;
  icount_region_dump(text);
}

static inline __attribute__((always_inline, unused)) void icount_region_begin(const char* name) {
  if (icount_region_request(0x1001UL, 0, 0) == 0) return; /* not under Valgrind */
  icount_region_dump("icount-region/");
  icount_region_dump_named('+', name);
}

static inline __attribute__((always_inline, unused)) void icount_region_end(const char* name) {
  if (icount_region_request(0x1001UL, 0, 0) == 0) return;
  icount_region_dump("icount-region/");
  icount_region_dump_named('-', name);
}

/* A name that is a literal: one dump each. */
#define ICOUNT_REGION_BEGIN(name) icount_region_dump("icount-region+ " name)
#define ICOUNT_REGION_END(name) icount_region_dump("icount-region- " name)

#else

static inline void icount_region_begin(const char* name) { (void)name; }
static inline void icount_region_end(const char* name) { (void)name; }
#define ICOUNT_REGION_BEGIN(name) ((void)("" name))
#define ICOUNT_REGION_END(name) ((void)("" name))

#endif

/* ICOUNT_REGION("name") { ... }: the block is a region. It ends however the block is left. In C a `break` or `continue`
   inside of it leaves the block, not a loop around it. */
#if !ICOUNT_REGION_WORKS

#define ICOUNT_REGION(name) \
  if (("" name)[0] == 0) {  \
  } else

#elif defined(__cplusplus)

namespace icount {
/// Ends the region when its block is left, by an exception, too.
class RegionScope {
 public:
  explicit __attribute__((always_inline)) RegionScope(const char* begin, const char* end) : end_(end) {
    icount_region_dump(begin);
  }
  __attribute__((always_inline)) ~RegionScope() { icount_region_dump(end_); }
  RegionScope(const RegionScope&) = delete;
  RegionScope& operator=(const RegionScope&) = delete;
  __attribute__((always_inline)) explicit operator bool() const { return false; }

 private:
  const char* end_;
};
}  // namespace icount

#define ICOUNT_REGION(name)                                                                              \
  if (const ::icount::RegionScope icount_region_scope{"icount-region+ " name, "icount-region- " name}) { \
  } else

#else

struct icount_region_scope {
  const char* end;
  int once;
};
static inline __attribute__((always_inline, unused)) struct icount_region_scope icount_region_enter(const char* begin,
                                                                                                    const char* end) {
  struct icount_region_scope scope = {end, 1};
  icount_region_dump(begin);
  return scope;
}
static inline __attribute__((always_inline, unused)) void icount_region_leave(struct icount_region_scope* scope) {
  icount_region_dump(scope->end);
}
#define ICOUNT_REGION(name)                                                                           \
  for (struct icount_region_scope icount_region_scope __attribute__((cleanup(icount_region_leave))) = \
           icount_region_enter("icount-region+ " name, "icount-region- " name);                       \
       icount_region_scope.once; icount_region_scope.once = 0)

#endif

/* ICOUNT_KEEP(variable): the compiler takes it for read and changed here, so that what made it is not removed and what
   depends on it is not computed in advance. */
#define ICOUNT_KEEP(variable) __asm__ volatile("" : "+m"(variable) : : "memory")

#if defined(__cplusplus) && !defined(ICOUNT_HAS_KEEP)
#define ICOUNT_HAS_KEEP
namespace icount {
/// The same for any expression: keep(f(x)) keeps the result, keep(x) hides the variable's value, too.
template <typename T>
inline __attribute__((always_inline)) void keep(const T& value) {
  __asm__ volatile("" : : "r"(&value) : "memory");
}
template <typename T>
inline __attribute__((always_inline)) void keep(T& value) {
  __asm__ volatile("" : : "r"(&value) : "memory");
}
}  // namespace icount
#endif

#endif  // ICOUNT_REGION_H
