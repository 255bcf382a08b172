// The tree behind the flame graph: costs of both sides per frame, where each frame lies for a chosen width, and searching.
// Frame 0 is the whole benchmark; parents come before their children.

const WIDTHS = [["max", "Both", "as wide as the larger side: shows both new and vanished frames"], ["base", "Base", "as wide as in base"], ["head", "Head", "as wide as in head"]];

class FlameTree {
  constructor(benchmark) {
    const {id, up, self, kind} = benchmark.flame, n = id.length + 1;
    Object.assign(this, {size: n, id: [-1, ...id], kind, compared: benchmark.compared, wholeName: "all of " + (benchmark.event || "the cost")});
    this.parent = new Int32Array(n).fill(-1);
    this.selfBase = new Float64Array(n);
    this.selfHead = new Float64Array(n);
    const larger = new Float64Array(n);
    this.depth = new Int32Array(n);
    this.end = new Int32Array(n);  // first frame behind the subtree; frames are in depth-first order
    this.rows = 1;
    for (let i = 1; i < n; i++) {
      this.parent[i] = i - up[i - 1];
      this.selfBase[i] = baseOf(self, i - 1);
      this.selfHead[i] = headOf(self, i - 1);
      larger[i] = Math.max(this.selfBase[i], this.selfHead[i]);
      this.depth[i] = this.depth[this.parent[i]] + 1;
      this.rows = Math.max(this.rows, this.depth[i] + 1);
    }
    this.base = this.sums(this.selfBase);
    this.head = this.sums(this.selfHead);
    this.both = this.sums(larger);
    for (let i = n - 1; i >= 0; i--) {
      this.end[i] = Math.max(this.end[i], i + 1);
      if (i) this.end[this.parent[i]] = Math.max(this.end[this.parent[i]], this.end[i]);
    }
    const others = Object.entries(kind).filter(([, text]) => text === "… other").map(([i]) => Number(i) + 1);
    this.joined = {base: others.reduce((sum, i) => sum + this.base[i], 0), head: others.reduce((sum, i) => sum + this.head[i], 0)};
    this.largestChange = 0;
    for (let i = 0; i < n; i++) this.largestChange = Math.max(this.largestChange, Math.abs(this.head[i] - this.base[i]));
  }

  sums(self) {
    const sum = Float64Array.from(self);
    for (let i = sum.length - 1; i > 0; i--) sum[this.parent[i]] += sum[i];
    return sum;
  }

  /** Left edges for a width, in its unit; the frame's own part of its width is at the right, behind its children. */
  layout(width) {
    const weight = {max: this.both, base: this.base, head: this.head}[width];
    const left = new Float64Array(this.size), next = new Float64Array(this.size);
    for (let i = 1; i < this.size; i++) {
      const parent = this.parent[i];
      if (i === this.second) next[0] = 0;  // the other half of a sandwich
      left[i] = next[parent];
      next[i] = left[i];
      next[parent] += weight[i];
    }
    return {weight, left};
  }

  name(i) { return i === 0 ? this.wholeName : names.nameOf(this.id[i]); }
  shortName(i) { return i === 0 ? this.wholeName : names.short(names.nameOf(this.id[i])); }
  delta(i) { return this.head[i] - this.base[i]; }
  status(i) { return !this.compared || i === 0 ? "kept" : this.base[i] === 0 ? "new" : this.head[i] === 0 ? "vanished" : "kept"; }

  /** -1 ... 1: how much this frame, with all below it, costs more or less. */
  strength(i, measure) {
    const delta = this.delta(i);
    if (!delta) return 0;
    const share = measure === "own" ? Math.min(1, Math.abs(delta) / (0.5 * Math.max(this.base[i], this.head[i]))) : Math.abs(delta) / this.largestChange;
    return Math.sign(delta) * Math.max(0.06, share ** 0.6);
  }

  path(i) {
    const path = [];
    for (let at = i; at >= 0; at = this.parent[at]) path.unshift(at);
    return path;
  }

  children(i) {
    const found = [];
    for (let at = i + 1; at < this.end[i]; at = this.end[at]) found.push(at);
    return found;
  }

  /** Frames whose name matches, and what the outermost of them cost: below a match nothing counts twice. */
  search(matches) {
    const hit = new Uint8Array(this.size), known = new Map();
    let frames = 0, base = 0, head = 0, outside = 0;
    for (let i = 1; i < this.size; i++) {
      const id = this.id[i];
      if (!known.has(id)) known.set(id, matches(names.nameOf(id)));
      if (!known.get(id)) continue;
      hit[i] = 1;
      frames++;
      if (i < outside) continue;
      outside = this.end[i];
      base += this.base[i];
      head += this.head[i];
    }
    return {hit, frames, base, head};
  }
}

/** What the search field asks for: a part of the name, or a regular expression between slashes. Error text in `error`. */
function makeMatcher(text) {
  const pattern = /^\/(.*)\/$/.exec(text);
  if (!pattern) {
    const lower = text.toLowerCase();
    return {matches: (name) => name.toLowerCase().includes(lower)};
  }
  try {
    const expression = new RegExp(pattern[1]);
    return {matches: (name) => expression.test(name)};
  } catch (error) {
    return {matches: () => false, error: "not a regular expression: " + pattern[1]};
  }
}
