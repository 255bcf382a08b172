// How a hook names the function that it wraps, and calls it. Names are Z-encoded as Valgrind's pub_tool_redir.h says
// (ZZ is Z, Zu _, Za *), in any object.
#pragma once

#include <valgrind/valgrind.h>

#define ICOUNT_WRAP(name) I_WRAP_SONAME_FNNAME_ZZ(Za, name)

namespace icount_hooks {

// Callgrind takes the return of a wrapped function for a call, which ends when the stack pointer passes it: so the call
// has a stack frame of its own.
__attribute__((noinline)) inline void* call_original(OrigFn original, void* a) {
  void* result;
  CALL_FN_W_W(result, original, a);
  return result;
}
__attribute__((noinline)) inline void* call_original(OrigFn original, void* a, void* b) {
  void* result;
  CALL_FN_W_WW(result, original, a, b);
  return result;
}
__attribute__((noinline)) inline void* call_original(OrigFn original, void* a, void* b, long c) {
  void* result;
  CALL_FN_W_WWW(result, original, a, b, c);
  return result;
}

}  // namespace icount_hooks
