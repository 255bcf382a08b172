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
