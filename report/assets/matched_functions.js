// What the functions of a search cost: from the table of functions and calls, where the flame graph joins or guesses stacks.

class MatchedFunctions {
  constructor(benchmark) {
    this.benchmark = benchmark;
  }

  /** Calls by function, but those of itself; made when first asked for. */
  get calls() {
    const {functions, edges} = this.benchmark;
    if (!this.callsOf) {
      this.callsOf = functions.id.map(() => []);
      edges.caller.forEach((caller, e) => { if (edges.callee[e] !== caller) this.callsOf[caller].push(e); });
    }
    return this.callsOf;
  }

  /** Calls of a function, but those by itself. */
  callersOf(row) {
    const {functions, edges} = this.benchmark;
    if (!this.callers) {
      this.callers = functions.id.map(() => []);
      edges.callee.forEach((callee, e) => { if (edges.caller[e] !== callee) this.callers[callee].push(e); });
    }
    return this.callers[row];
  }

  name(row) { return names.nameOf(this.benchmark.functions.id[row]); }
  findExactly(name) { return this.find(makeMatcher(exactly(name)).matches); }

  /** Costs of both sides over all functions whose names match: self, and with callees where that is known; null without a table. */
  find(matches) {
    const {functions} = this.benchmark;
    if (!functions) return null;
    const found = functions.id.map((id, i) => i).filter((i) => matches(this.name(i)));
    return {count: found.length, unlisted: functions.more || 0, self: this.sums(functions.self, found), inclusive: this.inclusive(found)};
  }

  sums(column, rows) {
    let base = 0, head = 0;
    for (const row of rows) [base, head] = [base + baseOf(column, row), head + headOf(column, row)];
    return {base, head};
  }

  /** Of several functions: their own cost and that of the calls that leave them. Not known where what they call leads back to them, or calls are not listed. */
  inclusive(found) {
    const {functions, edges} = this.benchmark;
    if (found.length === 1) return this.sums(functions.inclusive, found);
    if (!edges || edges.more || functions.more || !found.length) return null;
    const inside = new Set(found), leaving = found.flatMap((i) => this.calls[i].filter((e) => !inside.has(edges.callee[e])));
    const seen = new Set(leaving.map((e) => edges.callee[e])), open = [...seen];
    while (open.length)
      for (const e of this.calls[open.pop()]) {
        const callee = edges.callee[e];
        if (inside.has(callee)) return null;
        if (!seen.has(callee)) { seen.add(callee); open.push(callee); }
      }
    const self = this.sums(functions.self, found), below = this.sums(edges.inclusive, leaving);
    return {base: self.base + below.base, head: self.head + below.head};
  }
}

/** An expression for makeMatcher that this name alone meets. */
function exactly(name) { return "/^" + name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") + "$/"; }
