/* Runs one script. */
#include <stdio.h>
#include "mujs.h"
#include "script.h"

static void print(js_State *J) {
  puts(js_tostring(J, 1));
  js_pushundefined(J);
}

int main(void) {
  js_State *J = js_newstate(NULL, NULL, JS_STRICT);
  js_newcfunction(J, print, "print", 1);
  js_setglobal(J, "print");
  int failed = js_dostring(J, script);
  js_freestate(J);
  return failed;
}
