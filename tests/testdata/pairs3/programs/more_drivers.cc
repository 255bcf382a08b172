// One of several libraries, chosen by a macro.
#include <cstdio>
#include <string>

#ifdef USE_RAPIDJSON
#include "rapidjson/document.h"
#ifndef FLAGS
#define FLAGS 0
#endif
int main() {
  std::string text = "[";
  for (int i = 0; i < 150; ++i) {
    char record[300];
    std::snprintf(record, sizeof record, "%s{\"id\": %d, \"name\": \"the name of record %d\", \"share\": %d.%06d, \"of\": [%d, [%d.25, {\"deep\": null}]], \"ok\": true}", i ? ", " : "", i, i * 37, i, i * 6151 % 999983, i + 1,
                  i * 3);
    text += record;
  }
  text += "]";
  double sum = 0;
  for (int round = 0; round < 5; ++round) {
    rapidjson::Document document;
    document.Parse<FLAGS>(text.c_str());
    if (document.HasParseError()) return 1;
    for (auto& record : document.GetArray()) {
#ifdef BY_NAME_EACH
      for (int again = 0; again < 8; ++again) sum += record["ok"].GetBool() + record["share"].GetDouble();
#else
      const bool ok = record["ok"].GetBool();
      const double share = record["share"].GetDouble();
      for (int again = 0; again < 8; ++again) sum += ok + share;
#endif
    }
  }
  std::printf("%.3f\n", sum);
}
#endif

#ifdef USE_MINISAT
#include "minisat/core/Solver.h"
#ifndef PHASES
#define PHASES 2
#endif
int main() {
  Minisat::Solver solver;
  solver.phase_saving = PHASES;
#ifdef CCMIN
  solver.ccmin_mode = CCMIN;
#endif
  const int variables = 90;
  for (int i = 0; i < variables; ++i) solver.newVar();
  unsigned state = 11;
  for (int i = 0; i < 390; ++i) {
    Minisat::Lit literals[3];
    for (auto& literal : literals) {
      state = state * 1103515245u + 12345u;
      literal = Minisat::mkLit(static_cast<int>((state >> 12) % variables), (state >> 28) & 1);
    }
    solver.addClause(literals[0], literals[1], literals[2]);
  }
  std::printf("%d\n", solver.solve());
}
#endif
