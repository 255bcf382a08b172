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
// Other trees of the same stacks: inverted, around one function, and with stacks left out. Each is data as the report has it, for a FlameTree.

const VIEWS = [["stacks", "Stacks", "callers above, what they call below"], ["inverted", "Inverted", "the functions that spend the cost first, below them their callers"],
  ["callers", "Callers", "who calls the chosen function, and what its calls cost"], ["callees", "Callees", "what the chosen function calls, from all its stacks together"],
  ["sandwich", "Sandwich", "callers of the chosen function above it, what it calls below"], ["graph", "Graph", "the calls around the chosen function as a graph, from the table of calls"]];

/** Views of one function. */
const AROUND = ["callers", "callees", "sandwich", "graph"];

// What costs less than this part of the whole is not told apart in a tree that is made here.
const LEAST_PART = 1 / 3000;

/** Grows a tree from groups of frames: `weigh(item)` is [base, head], `next(item)` the items a level further. Frames of one function are one. */
class StackGrower {
  constructor(tree, weigh, next) {
    Object.assign(this, {tree, weigh, next, id: [], up: [], base: [], head: [], kind: {}});
    this.least = LEAST_PART * Math.max(tree.base[0], tree.head[0]);
  }

  grow(items) {
    const open = this.groups(items).reverse().map((group) => ({...group, parent: -1}));
    while (open.length) {
      const {items: of, frame, base, head, parent} = open.pop(), at = this.id.length;
      this.id.push(this.tree.id[frame]);
      this.up.push(at - parent);
      if (this.tree.kind[frame - 1]) this.kind[at] = this.tree.kind[frame - 1];
      const below = this.groups(of.flatMap((item) => this.next(item))).filter((group) => Math.max(group.base, group.head) >= this.least);
      this.base.push(below.reduce((left, group) => left - group.base, base));
      this.head.push(below.reduce((left, group) => left - group.head, head));
      for (const group of below.reverse()) open.push({...group, parent: at});
    }
    return this.flame();
  }

  groups(items) {
    const found = new Map();
    for (const item of items) {
      const frame = item.frame, key = this.tree.id[frame], [base, head] = this.weigh(item);
      if (!base && !head) continue;
      if (!found.has(key)) found.set(key, {frame, base: 0, head: 0, items: []});
      const group = found.get(key);
      group.base += base;
      group.head += head;
      group.items.push(item);
    }
    return [...found.values()].sort((a, b) => Math.max(b.base, b.head) - Math.max(a.base, a.head) || a.frame - b.frame);
  }

  flame() {
    return {id: this.id, up: this.up, kind: this.kind, self: {base: this.base, delta: this.head.map((head, i) => head - this.base[i])}};
  }
}

/** Steps from a frame to its caller; what began there keeps its weight. */
function towardsCallers(tree, starts) {
  return new StackGrower(tree, (item) => [item.base, item.head], ({frame, base, head}) => (tree.parent[frame] > 0 ? [{frame: tree.parent[frame], base, head}] : [])).grow(starts);
}

/** Frames that `wanted` takes and that no other such frame is above. */
function outermost(tree, wanted) {
  const found = [];
  for (let i = 1; i < tree.size; i = wanted(i) ? (found.push(i), tree.end[i]) : i + 1);
  return found;
}

const makeView = {
  inverted: (tree) => towardsCallers(tree, Array.from({length: tree.size - 1}, (_, i) => ({frame: i + 1, base: tree.selfBase[i + 1], head: tree.selfHead[i + 1]}))),
  callers: (tree, name) => towardsCallers(tree, outermost(tree, (i) => tree.name(i) === name).map((frame) => ({frame, base: tree.base[frame], head: tree.head[frame]}))),
  callees: (tree, name) => new StackGrower(tree, ({frame}) => [tree.base[frame], tree.head[frame]], ({frame}) => tree.children(frame).map((child) => ({frame: child})))
    .grow(outermost(tree, (i) => tree.name(i) === name).map((frame) => ({frame}))),
};

/** Only the stacks with a frame that `hit` marks (keep) or only those without one. */
function filterStacks(tree, hit, keep) {
  const inside = new Uint8Array(tree.size), base = new Float64Array(tree.size), head = new Float64Array(tree.size);
  for (let i = 1; i < tree.size; i++) {
    inside[i] = hit[i] || inside[tree.parent[i]];
    if (Boolean(inside[i]) === keep) [base[i], head[i]] = [tree.selfBase[i], tree.selfHead[i]];
  }
  const whole = [tree.sums(base), tree.sums(head)], place = new Int32Array(tree.size).fill(-1);
  const flame = {id: [], up: [], kind: {}, self: {base: [], delta: []}};
  for (let i = 1; i < tree.size; i++) {
    if (!whole[0][i] && !whole[1][i]) continue;
    place[i] = flame.id.length;
    if (tree.kind[i - 1]) flame.kind[place[i]] = tree.kind[i - 1];
    flame.up.push(place[i] - (tree.parent[i] > 0 ? place[tree.parent[i]] : -1));
    flame.id.push(tree.id[i]);
    flame.self.base.push(base[i]);
    flame.self.delta.push(head[i] - base[i]);
  }
  return flame;
}
// Callers above and callees below one function: two trees that share a frame, as one tree for the painter and the keys.

/** `up` and `down` are FlameTrees of the callers and the callees of one function, which is the first frame of each. Frame 0 of the result is the function itself; rows go up towards callers. */
function sandwichOf(up, down) {
  const tree = Object.create(FlameTree.prototype), shift = up.size - 2, size = shift + down.size - 1, middle = up.rows - 2;
  const sides = [[up, 0, -1], [down, shift, 1]];
  const column = (name, kind) => {
    const all = new kind(size);
    all[0] = down[name][1];
    for (const [from, offset] of sides) for (let i = 2; i < from.size; i++) all[offset + i - 1] = from[name][i];
    return all;
  };
  Object.assign(tree, {size, second: shift + 1, rows: middle + down.rows - 1, compared: down.compared, wholeName: down.name(1), joined: down.joined, largestChange: 0, kind: {}});
  for (const name of ["selfBase", "selfHead", "base", "head", "both"]) tree[name] = column(name, Float64Array);
  tree.id = column("id", Array);
  tree.parent = column("parent", Int32Array);
  tree.depth = column("depth", Int32Array);
  tree.end = column("end", Int32Array);
  for (const [from, offset, way] of sides)
    for (let i = 2; i < from.size; i++) {
      const at = offset + i - 1;
      tree.parent[at] = from.parent[i] === 1 ? 0 : offset + from.parent[i] - 1;
      tree.depth[at] = middle + way * (from.depth[i] - 1);
      tree.end[at] = offset + from.end[i] - 1;
      if (from.kind[i - 1]) tree.kind[at - 1] = from.kind[i - 1];
    }
  Object.assign(tree.parent, {0: -1});
  [tree.depth[0], tree.end[0]] = [middle, size];
  for (let i = 0; i < size; i++) tree.largestChange = Math.max(tree.largestChange, Math.abs(tree.head[i] - tree.base[i]));
  return tree;
}
// Draws the visible part of a flame graph on a canvas: only frames wide enough to be seen, in the rows scrolled to.

const ROW = 19;
const FLAME_FONT = '11.5px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

class FlamePainter {
  constructor(canvas, tree) {
    Object.assign(this, {canvas, tree, context: canvas.getContext("2d")});
    this.context.font = FLAME_FONT;
    this.charWidth = this.context.measureText("abcdefghij").width / 10;
    this.hatches = new Map();
  }

  /** view: {layout, zoom, measure, search, selected, hovered, scrollTop, width, height}. */
  paint(view) {
    const {context, canvas} = this, ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(view.width * ratio) || canvas.height !== Math.round(view.height * ratio)) {
      canvas.width = Math.round(view.width * ratio);
      canvas.height = Math.round(view.height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.font = FLAME_FONT;
    context.textBaseline = "middle";
    const {tree} = this;
    for (const ancestor of tree.path(view.zoom).slice(0, -1)) this.frame(view, ancestor, 0, view.width, true);
    const scale = view.width / (view.layout.weight[view.zoom] || 1), origin = view.layout.left[view.zoom];
    for (let i = view.zoom; i < tree.end[view.zoom];) {
      const x = (view.layout.left[i] - origin) * scale, width = view.layout.weight[i] * scale;
      if (width < 0.35) { i = tree.end[i]; continue; }
      this.frame(view, i, x, width, false);
      i++;
    }
  }

  frame(view, i, x, width, outside) {
    const y = this.tree.depth[i] * ROW - view.scrollTop;
    if (y < -ROW || y > view.height) return;
    const {context} = this, tall = ROW - 1, wide = Math.max(0.5, width > 3 ? width - 1 : width);
    let color = this.color(view, i);
    const dim = outside || (view.search && !view.search.hit[i]);
    if (dim) color = mix(color, parseColor(colors.surface), outside ? 0.45 : 0.68);
    context.fillStyle = `rgb(${color.join(",")})`;
    context.fillRect(x, y, wide, tall);
    const status = this.tree.status(i), ink = inkOn(color);
    if (status !== "kept" && width > 2) {
      context.fillStyle = this.hatch(status, ink);
      context.fillRect(x, y, wide, tall);
    }
    this.outline(view, i, x, y, wide, tall);
    this.label(i, x, y, wide, status, dim && !outside ? colors.muted : ink);
  }

  outline(view, i, x, y, wide, tall) {
    const {context} = this, found = view.search && view.search.hit[i];
    const chosen = view.selected === i || view.hovered === i;
    if (!found && !chosen) return;
    context.strokeStyle = chosen ? colors.ink : colors.match;
    context.lineWidth = view.selected === i ? 2 : 1.25;
    context.strokeRect(x + 0.75, y + 0.75, Math.max(0.5, wide - 1.5), tall - 1.5);
  }

  label(i, x, y, wide, status, ink) {
    const room = Math.floor((Math.min(wide, 4000) - 7) / this.charWidth);
    if (room < 3) return;
    let text = (status === "new" ? "+ " : status === "vanished" ? "\u2212 " : "") + this.tree.shortName(i);
    if (text.length > room) text = text.slice(0, room - 1) + "…";
    this.context.fillStyle = ink;
    this.context.fillText(text, x + 4, y + ROW / 2);
  }

  color(view, i) {
    if (this.tree.compared) return divergingColor(this.tree.strength(i, view.measure));
    return i === 0 ? colors.neutral : plainColor(this.tree, i);
  }

  /** New frames are hatched upwards, vanished ones downwards. */
  hatch(status, ink) {
    const key = status + ink;
    if (this.hatches.has(key)) return this.hatches.get(key);
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const draw = tile.getContext("2d");
    draw.strokeStyle = ink;
    draw.globalAlpha = 0.22;
    draw.lineWidth = 1.4;
    draw.beginPath();
    for (const shift of [-8, 0, 8]) {
      draw.moveTo(shift - 1, status === "new" ? 9 : -1);
      draw.lineTo(shift + 9, status === "new" ? -1 : 9);
    }
    draw.stroke();
    const pattern = this.context.createPattern(tile, "repeat");
    this.hatches.set(key, pattern);
    return pattern;
  }
}

function mix(from, to, share) { return from.map((value, i) => Math.round(value + (to[i] - value) * share)); }

/** One result has no change to show: a quiet colour per library, so that one sees where one library calls another. */
function plainColor(tree, i) { return plainColorOf(tree.kind[i - 1] ? "" : names.objectOf(tree.id[i])); }

function plainColorOf(library) {
  let hash = 7;
  for (let at = 0; at < library.length; at++) hash = (hash * 31 + library.charCodeAt(at)) >>> 0;
  return mix(colors.neutral, hash % 2 ? colors.less : mix(colors.less, colors.more, 0.3), library ? 0.2 + (hash % 7) * 0.06 : 0);
}
