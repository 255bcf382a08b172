// The call graph around one function as SVG that stands alone: callers above, what it calls below, two levels of each. From the tables of functions and calls, so that
// nothing in it is approximate. The same table gives the same picture: levels in rows, the costliest calls first, the outer level above or below what it calls or is called by.

const GRAPH_NODE = {width: 188, height: 48, gap: 16, level: 112};
const GRAPH_LEVELS = 2;

class CallGraph {
  /** `chosen(name)` puts another function into the middle, `pointed(row)` tells of the one that is pointed at, `left()` is Escape. */
  constructor(benchmark, matched, {chosen, pointed, left}) {
    Object.assign(this, {benchmark, matched, chosen, pointed, left, row: -1, nodes: []});
    this.space = el("div.graph-space");
    this.node = el("div.call-graph", {hidden: true}, this.space, el("div.graph-tools", {}, el("span.muted.small", {}, "Arrow keys move between functions, Enter puts one into the middle. The width of a line is the cost of the calls.", this.leftOut()),
      el("button.more", {type: "button", title: "the picture as a file", onclick: () => this.save()}, "Save as SVG")));
    new ResizeObserver(() => { if (this.row >= 0 && Math.abs(this.space.clientWidth - this.width) > 8) this.draw(); }).observe(this.space);
    onTheme(this.node, () => { if (this.row >= 0) this.draw(); });
  }

  /** A report of many benchmarks keeps a part of the calls of each. */
  leftOut() {
    const {edges} = this.benchmark;
    return edges && edges.more ? " " + plural(edges.more, "further call") + " of this benchmark " + (edges.more === 1 ? "is" : "are") + " not in this report." : null;
  }

  /** The costliest function of a name; false where the table lists none. */
  show(name) {
    const {functions} = this.benchmark, rows = functions ? functions.id.map((id, row) => row).filter((row) => this.matched.name(row) === name) : [];
    if (!rows.length) return false;
    this.row = rows.reduce((most, row) => (this.cost(functions.inclusive, row) > this.cost(functions.inclusive, most) ? row : most));
    this.draw();
    return true;
  }

  cost(column, i) { return Math.max(baseOf(column, i), headOf(column, i)); }

  // Who is around it

  /** Rows of the table by level, -2 ... 2; of each level the costliest, and how many more there are. */
  levels(most) {
    const levels = new Map([[0, {rows: [this.row], more: 0}]]), {edges} = this.benchmark;
    for (const way of [-1, 1]) {
      const known = new Set([this.row]);
      let inner = [this.row];
      for (let depth = 1; depth <= GRAPH_LEVELS && inner.length; depth++) {
        const costs = new Map();
        for (const row of inner)
          for (const e of (way < 0 ? this.matched.callersOf(row) : this.matched.calls[row])) {
            const other = way < 0 ? edges.caller[e] : edges.callee[e];
            if (!known.has(other)) costs.set(other, (costs.get(other) || 0) + this.cost(edges.inclusive, e));
          }
        const found = [...costs.keys()].sort((a, b) => costs.get(b) - costs.get(a) || a - b), rows = found.slice(0, most);
        for (const row of rows) known.add(row);
        if (rows.length) levels.set(way * depth, {rows: depth > 1 ? this.nearTo(inner, rows, way) : rows, more: found.length - rows.length});
        inner = rows;
      }
    }
    return levels;
  }

  /** Rows of an outer level in the order of what they call or are called by, so that few lines cross. */
  nearTo(inner, rows, way) {
    const {edges} = this.benchmark, place = new Map();
    for (const row of rows) {
      let sum = 0, weight = 0;
      for (const e of (way < 0 ? this.matched.calls[row] : this.matched.callersOf(row))) {
        const at = inner.indexOf(way < 0 ? edges.callee[e] : edges.caller[e]);
        if (at >= 0) [sum, weight] = [sum + at * (this.cost(edges.inclusive, e) + 1), weight + this.cost(edges.inclusive, e) + 1];
      }
      place.set(row, weight ? sum / weight : 0);
    }
    return [...rows].sort((a, b) => place.get(a) - place.get(b) || rows.indexOf(a) - rows.indexOf(b));
  }

  // Drawing

  draw() {
    this.width = Math.max(300, this.space.clientWidth || 960);
    const {width: wide, height: tall, gap, level} = GRAPH_NODE, most = Math.max(1, Math.floor((this.width + gap) / (wide + gap)));
    const levels = this.levels(most), first = Math.min(...levels.keys()), height = (Math.max(...levels.keys()) - first) * level + tall + 44;
    this.nodes = [];
    for (const [depth, {rows}] of [...levels].sort(([a], [b]) => a - b)) {
      const start = (this.width - rows.length * (wide + gap) + gap) / 2;
      rows.forEach((row, i) => this.nodes.push({row, depth, x: start + i * (wide + gap), y: 22 + (depth - first) * level}));
    }
    this.largest = this.nodes.reduce((most, {row}) => Math.max(most, Math.abs(this.benchmark.functions.inclusive.delta[row])), 1);
    const name = this.matched.name(this.row);
    const more = [...levels].filter(([, {more: count}]) => count).map(([depth, {more: count}]) => svg("text", {x: this.width / 2, y: depth < 0 ? 14 + (depth - first) * level : 22 + (depth - first) * level + tall + 16, "text-anchor": "middle", "font-size": 12, fill: colors.muted},
      "and " + plural(count, depth < 0 ? "cheaper caller" : "cheaper callee")));
    this.drawn = this.nodes.map((node, i) => this.drawNode(node, i));
    this.picture = svg("svg", {xmlns: SVG, width: this.width, height, viewBox: `0 0 ${this.width} ${height}`, "font-family": "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace", role: "group", "aria-label": "Calls around " + cutMiddle(name, 300)},
      svg("rect", {width: this.width, height, fill: colors.surface}), this.lines(), more, this.drawn);
    this.listen(this.picture);
    const held = this.space.contains(document.activeElement);
    replace(this.space, this.picture);
    if (held) this.reach(this.nodes.findIndex((node) => node.depth === 0));
  }

  /** A line for every call between functions of neighbouring levels, on the same side. */
  lines() {
    const {edges} = this.benchmark, whole = Math.max(1, this.cost(this.benchmark.functions.inclusive, this.row)), drawn = [];
    for (const from of this.nodes) {
      const below = new Map(this.nodes.filter((node) => node.depth === from.depth + 1).map((node) => [node.row, node]));
      for (const e of this.matched.calls[from.row]) {
        const to = below.get(edges.callee[e]);
        if (to) drawn.push(this.line(from, to, e, Math.min(1, this.cost(edges.inclusive, e) / whole)));
      }
    }
    return drawn;
  }

  line(from, to, e, share) {
    const {width: wide, height: tall} = GRAPH_NODE, [x, y, toX, toY] = [from.x + wide / 2, from.y + tall, to.x + wide / 2, to.y - 7], bend = (toY - y) / 2;
    const {edges} = this.benchmark, delta = edges.inclusive.delta[e], color = this.benchmark.compared ? this.color(delta) : mix(colors.neutral, parseColor(colors.ink), 0.3);
    const ink = `rgb(${mix(color, parseColor(colors.ink), 0.25).join(",")})`, round = (value) => Number(value.toFixed(1));
    const text = this.matched.name(from.row) + " calls " + this.matched.name(to.row) + ": " + this.figures(edges.calls, e) + " calls, cost " + this.figures(edges.inclusive, e);
    return svg("g.graph-line", {}, svg("title", {}, cutMiddle(text, 1200)),
      svg("path", {d: `M${round(x)} ${round(y)}C${round(x)} ${round(y + bend)} ${round(toX)} ${round(toY - bend)} ${round(toX)} ${round(toY)}`, fill: "none", stroke: ink, "stroke-width": round(1 + 8 * share), "stroke-opacity": 0.75}),
      svg("path", {d: `M${round(toX - 5 - 2 * share)} ${round(toY - 2)}h${round(10 + 4 * share)}l${round(-5 - 2 * share)} 8z`, fill: ink}));
  }

  drawNode({row, depth, x, y}, i) {
    const {width: wide, height: tall} = GRAPH_NODE, {functions, compared} = this.benchmark, name = this.matched.name(row), short = names.short(name);
    const color = compared ? this.color(functions.inclusive.delta[row]) : plainColorOf(names.objectOf(functions.id[row])), ink = inkOn(color), room = Math.floor((wide - 14) / 6.75);
    const text = (line, y, more) => svg("text", {x: x + 8, y, "font-size": 11.2, fill: ink, ...more}, line.length > room ? line.slice(0, room - 1) + "…" : line);
    const side = compared ? [formatCompact(baseOf(functions.inclusive, row)) + " → " + formatCompact(headOf(functions.inclusive, row)), formatPercent(functions.inclusive.delta[row], baseOf(functions.inclusive, row))].join(" ") : formatCompact(this.cost(functions.inclusive, row));
    const where = depth < 0 ? "caller" : depth > 0 ? "callee" : "in the middle";
    const label = `${name}, ${where}: with callees ${this.figures(functions.inclusive, row)}, self ${this.figures(functions.self, row)}`;
    return svg("g.graph-node", {tabindex: depth === 0 ? 0 : -1, role: "button", "aria-label": cutMiddle(label, 1200), "data-place": i}, svg("title", {}, cutMiddle(label, 1200)),
      svg("rect", {x, y, width: wide, height: tall, rx: 6, fill: `rgb(${color.join(",")})`, stroke: depth ? colors.line : colors.ink, "stroke-width": depth ? 1 : 2.5}),
      text(short, y + 20, {"font-weight": depth ? 400 : 700}), text(side, y + 37));
  }

  color(delta) { return divergingColor(delta ? Math.sign(delta) * Math.max(0.06, Math.min(1, Math.abs(delta) / this.largest) ** 0.6) : 0); }

  figures(column, i) {
    if (!this.benchmark.compared) return formatCount(this.cost(column, i));
    return formatCount(baseOf(column, i)) + " → " + formatCount(headOf(column, i)) + " (" + formatChange(column.delta[i]) + ")";
  }

  // Mouse and keyboard

  listen(picture) {
    const nodeOf = (event) => { const group = event.target.closest(".graph-node"); return group ? this.nodes[Number(group.dataset.place)] : null; };
    const on = (type, does) => picture.addEventListener(type, (event) => { const node = nodeOf(event); if (node) does(node, event); });
    on("click", (node) => this.chosen(this.matched.name(node.row)));
    on("mouseover", (node) => this.pointed(node.row));
    on("focusin", (node) => this.pointed(node.row));
    on("keydown", (node, event) => this.key(node, event));
  }

  key(node, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const level = (depth) => this.nodes.filter((other) => other.depth === depth), beside = level(node.depth), at = beside.indexOf(node);
    const nearest = (depth) => level(depth).reduce((best, other) => (!best || Math.abs(other.x - node.x) < Math.abs(best.x - node.x) ? other : best), null);
    const actions = {ArrowLeft: () => beside[at - 1], ArrowRight: () => beside[at + 1], ArrowUp: () => nearest(node.depth - 1), ArrowDown: () => nearest(node.depth + 1), Home: () => beside[0], End: () => beside[beside.length - 1]};
    if (event.key in actions) {
      event.preventDefault();
      const to = actions[event.key]();
      if (to) this.reach(this.nodes.indexOf(to));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.chosen(this.matched.name(node.row));
    } else if (event.key === "Escape") this.left();
  }

  /** Tab reaches one function of the picture, the arrow keys the others. */
  reach(place) {
    for (const group of this.drawn) group.setAttribute("tabindex", "-1");
    this.drawn[place].setAttribute("tabindex", "0");
    this.drawn[place].focus();
  }

  // As a file

  toText() { return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(this.picture) + "\n"; }

  save() {
    const address = URL.createObjectURL(new Blob([this.toText()], {type: "image/svg+xml"}));
    el("a", {href: address, download: "calls.svg"}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
