/* Runs one script. */
#include <stdio.h>
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "script.h"

int main(void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
#ifdef PAUSE
  lua_gc(L, LUA_GCINC, PAUSE, 400, 0);
#endif
  if (luaL_dostring(L, script) != LUA_OK) {
    printf("%s\n", lua_tostring(L, -1));
    return 1;
  }
  lua_close(L);
  return 0;
}
