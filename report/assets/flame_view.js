// The flame graph as a part of the page: canvas, width and colour choices, search, mouse and keyboard, and what a frame costs.

const FLAME_HEIGHT = 520;
const PRINTED = {width: 1000, height: 1300};  // at most; a page scales it to its own width

class FlameView {
  constructor(benchmark, view) {
    this.benchmark = benchmark;
    this.told = () => {};  // nobody, until the start is shown
    this.whole = this.tree = new FlameTree(benchmark);
    this.matched = new MatchedFunctions(benchmark);
    Object.assign(this, {width: this.tree.compared ? "max" : benchmark.head === undefined ? "base" : "head", measure: "total", zoom: 0, selected: 0, hovered: -1, search: null, view: "stacks", of: ""});
    this.layout = this.tree.layout(this.width);
    this.canvas = el("canvas.flame-canvas", {tabIndex: 0, role: "application", "aria-label": "Flame graph. Arrow keys move between frames, Enter zooms, Escape zooms out, slash searches."});
    this.canvas.flameView = this;  // for whoever looks from a console, and for tests
    this.space = el("div.flame-space", {}, this.canvas);
    this.space.style.height = this.tree.rows * ROW + "px";
    this.scroller = el("div.flame-scroll", {onscroll: () => this.paintSoon()}, this.space);
    this.scroller.style.height = Math.min(FLAME_HEIGHT, this.tree.rows * ROW + 2) + "px";
    this.tip = el("div.flame-tip", {hidden: true});
    this.about = el("div.flame-about", {"aria-live": "polite"});
    this.crumbs = el("div.flame-crumbs");
    this.painter = new FlamePainter(this.canvas, this.tree);
    this.graph = new CallGraph(benchmark, this.matched, {chosen: (name) => this.show("graph", name), pointed: (row) => this.describeFunction(row), left: () => { this.show("stacks"); this.canvas.focus(); }});
    this.listen();
    this.node = el("section.card.flame", {}, this.makeTitle(), this.makeTools(), this.crumbs, this.scroller, this.graph.node, this.about, this.makeLegend(), this.tip);
    new ResizeObserver(() => this.paintSoon()).observe(this.scroller);
    onTheme(this.canvas, () => this.paintSoon());
    this.showZoom();
    this.describe(0);
    this.start(view.start);
    this.told = view.onchange;
  }

  /** What an address asks for; what this graph does not have is left out. */
  start({zoom, find, width, view, of}) {
    if (this.tree.compared && WIDTHS.some(([value]) => value === width)) {
      this.setWidth(width);
      this.widthChoice.choose(width);
    }
    if (VIEWS.some(([known]) => known === view)) this.show(view, of || "");
    if (find) this.find(find);
    if (Number(zoom) > 0 && Number(zoom) < this.tree.size) this.zoomTo(Number(zoom));
  }

  // Other trees of the same stacks

  /** `of`: the function of a view around one; without one nothing is shown but what to do. */
  show(view, of) {
    const around = AROUND.includes(view);
    const refused = around && !of ? "Choose a function first: click its frame, then " + view + "." : view === "graph" && !this.graph.show(of) ? "The table of functions does not list " + cutMiddle(of, 200) + "." : "";
    if (refused) {
      this.viewChoice.choose(this.view);
      return replace(this.found, refused);
    }
    Object.assign(this, {view, of: around ? of : ""});
    this.viewChoice.choose(view);
    this.scroller.hidden = view === "graph";
    this.graph.node.hidden = view !== "graph";
    this.use(view === "stacks" || view === "graph" ? this.whole : this.makeTree(view, of));
    if (view === "graph") {
      this.graph.show(of);  // once more: its place has a width now
      this.describeFunction(this.graph.row);
    }
    if (view === "sandwich") this.scroller.scrollTop = Math.max(0, (this.tree.depth[0] + 0.5) * ROW - this.scroller.clientHeight / 2);
  }

  makeTree(view, of) {
    const make = (view) => this.treeOf(makeView[view](this.whole, of));
    if (view !== "sandwich") return make(view);
    const [up, down] = [make("callers"), make("callees")];
    return down.size > 1 ? sandwichOf(up, down) : down;  // a function that the graph does not tell apart has neither
  }

  treeOf(flame) { return new FlameTree({...this.benchmark, flame}); }

  use(tree) {
    Object.assign(this, {tree, zoom: 0, selected: 0, hovered: -1, layout: tree.layout(this.width)});
    this.painter.tree = tree;
    this.space.style.height = tree.rows * ROW + "px";
    this.scroller.style.height = Math.min(FLAME_HEIGHT, tree.rows * ROW + 2) + "px";
    this.search = null;
    if (this.searchField.value) this.find(this.searchField.value);
    this.zoomTo(0);
    this.showZoom();
    this.describe(0);
    this.paintSoon();
  }

  /** Leaves the stacks that the search finds, or those that it does not find. */
  keepFound(keep) {
    if (!this.search || !this.search.frames) return replace(this.found, "Search for frames first.");
    if (this.view === "sandwich" || this.view === "graph") this.show("stacks");
    this.use(this.treeOf(filterStacks(this.tree, this.search.hit, keep)));
  }

  tell() {
    const shown = {zoom: this.zoom || "", find: this.searchField.value, width: this.tree.compared && this.width !== "max" ? this.width : "", view: this.view === "stacks" ? "" : this.view, of: this.of};
    this.told(Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== "")));
  }

  makeTitle() {
    const {flame} = this.benchmark;
    return [el("h3", {}, "Where ", el("span.muted", {}, this.tree.compared ? "flame graph of both sides, coloured by the change of each frame's inclusive cost" : "flame graph"),
      flame.approximate ? [" ", el("span.tag.approximate", {}, "approximate")] : null),
      flame.approximate ? el("p.muted.small", {}, "No call stacks were recorded, so a function's cost is divided among its callers in proportion to the cost of their calls. Count with --stacks N to record exact stacks.") : null];
  }

  makeTools() {
    this.searchField = el("input.filter", {type: "search", placeholder: "Search frames, /regex/", "aria-label": "Search frames", oninput: () => this.find(this.searchField.value),
      onkeydown: (event) => { if (event.key === "Enter") this.nextMatch(event.shiftKey ? -1 : 1); if (event.key === "Escape") this.canvas.focus(); }});
    this.found = el("div.flame-found", {"aria-live": "polite"});
    this.widthChoice = segmented("Width", WIDTHS, this.width, (width) => this.setWidth(width));
    this.viewChoice = segmented("View", VIEWS, "stacks", (view) => this.show(view, this.selected > 0 ? this.tree.name(this.selected) : this.of));
    const tool = (text, title, onclick) => el("button.more", {type: "button", title, onclick}, text);
    return el("div.flame-tools", {},
      this.tree.compared ? [el("span.tool", {}, el("span.muted", {}, "width"), this.widthChoice),
        el("span.tool", {}, el("span.muted", {}, "colour"), segmented("Colour", [["total", "of the change", "how much of the whole change lies in the frame"], ["own", "of the frame", "how much the frame itself changed; full colour at half of its cost or more"]], "total",
          (measure) => { this.measure = measure; this.paintSoon(); }))] : null,
      el("span.tool", {}, el("span.muted", {}, "view"), this.viewChoice),
      this.searchField, el("span.tool", {}, tool("Focus", "show only the stacks that the search finds", () => this.keepFound(true)), tool("Ignore", "leave out the stacks that the search finds", () => this.keepFound(false)),
        tool("All", "show all stacks again", () => this.show("stacks"))), this.found);
  }

  makeLegend() {
    if (!this.tree.compared) return el("p.muted.small", {}, "Each colour is a library. Click a frame to zoom, Escape to zoom out.");
    const swatch = (status, text) => el("span.key", {}, el("span.swatch.hatch-" + status, {"aria-hidden": "true"}), text);
    return el("div.flame-legend", {}, el("span.key", {}, "costs less", el("span.gradient", {"aria-hidden": "true"}), "costs more"), swatch("new", "+ new frame"), swatch("vanished", "\u2212 vanished frame"),
      el("span.muted", {}, "frames add up to " + formatCount(this.tree.base[0]) + " and " + formatCount(this.tree.head[0]) + " " + (this.benchmark.event || "")));
  }

  listen() {
    const {canvas} = this;
    canvas.addEventListener("mousemove", (event) => this.hover(this.frameAt(event), event));
    canvas.addEventListener("mouseleave", () => this.hover(-1));
    canvas.addEventListener("click", (event) => { const frame = this.frameAt(event); if (frame >= 0) this.zoomTo(frame); this.tip.hidden = true; });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  // Geometry

  frameAt(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.frameAtPoint(event.clientX - box.left, event.clientY - box.top);
  }

  frameAtPoint(x, y) {
    const row = Math.floor((y + this.scroller.scrollTop) / ROW), {tree, layout, zoom} = this;
    if (row < 0) return -1;
    const above = tree.path(zoom).slice(0, -1).find((frame) => tree.depth[frame] === row);
    if (above !== undefined) return above;
    const at = layout.left[zoom] + x / this.canvas.clientWidth * layout.weight[zoom];
    let frame = zoom;
    while (tree.depth[frame] !== row) {
      const way = Math.sign(row - tree.depth[frame]);
      const next = tree.children(frame).find((child) => tree.depth[child] - tree.depth[frame] === way && at >= layout.left[child] && at < layout.left[child] + layout.weight[child]);
      if (next === undefined) return -1;
      frame = next;
    }
    return at < layout.left[zoom] + layout.weight[zoom] ? frame : -1;
  }

  /** Middle of a frame on the canvas; for tests and the tooltip of the keyboard. */
  pointOf(frame) {
    const {layout, zoom, tree} = this, scale = this.canvas.clientWidth / (layout.weight[zoom] || 1);
    return {x: (layout.left[frame] - layout.left[zoom] + layout.weight[frame] / 2) * scale, y: tree.depth[frame] * ROW - this.scroller.scrollTop + ROW / 2, width: layout.weight[frame] * scale};
  }

  // Actions

  setWidth(width) {
    this.width = width;
    this.layout = this.tree.layout(width);
    if (!this.layout.weight[this.zoom]) this.zoomTo(0);
    this.paintSoon();
    this.tell();
  }

  zoomTo(frame) {
    if (!this.layout.weight[frame]) return;
    this.zoom = this.selected = frame;
    this.showZoom();
    this.describe(frame);
    this.paintSoon();
    this.tell();
  }

  select(frame) {
    this.selected = frame;
    const {x, y} = this.pointOf(frame), inside = frame >= this.zoom && frame < this.tree.end[this.zoom] && x >= 0;
    if (!inside) this.zoomTo(this.commonAncestor(frame));
    if (y < ROW) this.scroller.scrollTop -= ROW * 2 - y;
    if (y > this.scroller.clientHeight - ROW) this.scroller.scrollTop += y - this.scroller.clientHeight + ROW * 2;
    this.selected = frame;
    this.describe(frame);
    this.paintSoon();
  }

  commonAncestor(frame) {
    let at = this.zoom;
    while (at > 0 && !(frame >= at && frame < this.tree.end[at])) at = this.tree.parent[at];
    return at;
  }

  key(event) {
    const {tree, selected} = this, siblings = selected > 0 ? tree.children(tree.parent[selected]).filter((i) => this.layout.weight[i] > 0 && tree.depth[i] === tree.depth[selected]) : [0];
    const place = siblings.indexOf(selected);
    const step = (rows) => {
      const row = tree.depth[selected] + rows, parent = tree.parent[selected];
      const to = parent >= 0 && tree.depth[parent] === row ? parent : this.widest(tree.children(selected).filter((child) => tree.depth[child] === row));
      if (to !== undefined) this.select(to);
    };
    const actions = {
      ArrowUp: () => step(-1),
      ArrowDown: () => step(1),
      ArrowLeft: () => place > 0 && this.select(siblings[place - 1]),
      ArrowRight: () => place + 1 < siblings.length && this.select(siblings[place + 1]),
      Enter: () => this.zoomTo(selected),
      Escape: () => (this.zoom ? this.zoomTo(tree.parent[this.zoom]) : this.clearSearch()),
      Home: () => this.zoomTo(0),
      "/": () => this.searchField.focus(),
      n: () => this.nextMatch(1),
      N: () => this.nextMatch(-1),
    };
    if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.tip.hidden = true;
    actions[event.key]();
  }

  widest(frames) {
    return frames.filter((i) => this.layout.weight[i] > 0).reduce((best, i) => (best === undefined || this.layout.weight[i] > this.layout.weight[best] ? i : best), undefined);
  }

  find(text) {
    this.searchField.value = text;
    if (!text) return this.clearSearch();
    const {matches, error} = makeMatcher(text);
    this.search = this.tree.search(matches);
    replace(this.found, error || [this.costFound(this.matched.find(matches)), el("div", {}, plural(this.search.frames, "frame") + " in the graph", this.joinedNote())]);
    this.paintSoon();
    this.tell();
  }

  /** Costs are those of the table of functions: the frames that are told apart hold less. */
  costFound(found) {
    const {search, tree, benchmark} = this, shown = tree.compared ? ["base", "head"] : [benchmark.head === undefined ? "base" : "head"];
    const whole = {base: tree.base[0], head: tree.head[0]};
    const cost = (title, costs) => [" · " + title + " ", shown.map((side, i) => [i ? " → " : "", formatCount(costs[side]), el("span.muted", {}, " (" + formatShare(whole[side] ? costs[side] / whole[side] : 0) + ")")]),
      tree.compared ? [", ", el("span" + toneClass(costs.head - costs.base), {}, formatChange(costs.head - costs.base))] : null];
    if (!found) return el("div", {}, el("b", {}, "frames"), cost("with callees", search));
    return el("div", {}, el("b", {}, plural(found.count, "function")), found.count ? [cost("self", found.self), found.inclusive ? cost("with callees", found.inclusive) : null] : null,
      found.unlisted ? el("span.muted", {}, " · " + plural(found.unlisted, "cheap function") + " not searched") : null);
  }

  joinedNote() {
    const {joined, base, head, compared} = this.tree, share = (side, whole) => formatShare(whole ? side / whole : 0);
    if (!joined.base && !joined.head) return null;
    return el("span.muted", {}, "; " + (compared ? share(joined.base, base[0]) + " of base and " + share(joined.head, head[0]) + " of head" : share(Math.max(joined.base, joined.head), Math.max(base[0], head[0]))) + " lie in frames “… other”, where stacks are joined");
  }

  clearSearch() {
    this.search = null;
    this.searchField.value = "";
    replace(this.found);
    this.paintSoon();
    this.tell();
  }

  nextMatch(step) {
    if (!this.search || !this.search.frames) return;
    for (let i = 1; i <= this.tree.size; i++) {
      const at = (this.selected + step * i + this.tree.size * 2) % this.tree.size;
      if (this.search.hit[at] && this.layout.weight[at] > 0) return this.select(at);
    }
  }

  // Showing

  hover(frame, event) {
    this.tip.hidden = frame < 0;
    if (frame !== this.hovered) {
      this.hovered = frame;
      if (frame >= 0) {
        replace(this.tip, el("div.tip-name", {}, cutMiddle(this.tree.name(frame), 1200)), this.facts(frame), frame > 0 ? el("div.where", {}, cutMiddle([names.objectOf(this.tree.id[frame]), names.fileOf(this.tree.id[frame])].filter(Boolean).join("  "), 300)) : null);
        this.describe(frame, true);
      } else this.describe(this.selected);
      this.paintSoon();
    }
    if (event && frame >= 0) this.placeTip(event);
  }

  placeTip(event) {
    const {offsetWidth, offsetHeight} = this.tip;
    this.tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - offsetWidth - 12)) + "px";
    this.tip.style.top = (event.clientY + 18 + offsetHeight > innerHeight ? Math.max(8, event.clientY - offsetHeight - 12) : event.clientY + 18) + "px";
  }

  facts(i) {
    const {tree} = this;
    if (!tree.compared) {
      const incl = Math.max(tree.base[i], tree.head[i]), self = Math.max(tree.selfBase[i], tree.selfHead[i]);
      return el("table.tip-table", {}, el("tr", {}, el("th", {}, "with callees"), el("td", {}, formatCount(incl)), el("td", {}, formatShare(incl / (this.benchmark.total || 1)))), el("tr", {}, el("th", {}, "self"), el("td", {}, formatCount(self)), el("td", {}, formatShare(self / (this.benchmark.total || 1)))));
    }
    const row = (name, base, head) => el("tr", {}, el("th", {}, name), el("td", {}, formatCount(base)), el("td", {}, "→"), el("td", {}, formatCount(head)), el("td" + toneClass(head - base), {}, formatChange(head - base)), el("td" + toneClass(head - base), {}, head === base ? "" : formatPercent(head - base, base)));
    return el("table.tip-table", {}, row("with callees", tree.base[i], tree.head[i]), row("self", tree.selfBase[i], tree.selfHead[i]));
  }

  /** Below the graph: a frame that is pointed at by its short name, the selected one by its whole name, so that it can be copied. */
  describe(frame, short) {
    const {tree} = this, status = tree.status(frame), delta = tree.delta(frame);
    replace(this.about, el("span.about-name", {}, short ? nameNode(tree.name(frame)) : el("code.name", {}, cutMiddle(tree.name(frame), 1500)), status === "kept" ? null : [" ", el("span.tag", {}, status)]),
      tree.compared ? el("span.about-figures", {}, formatCount(tree.base[frame]), " → ", formatCount(tree.head[frame]), "  ", el("b" + toneClass(delta), {}, formatChange(delta), delta ? " (" + formatPercent(delta, tree.base[frame]) + ")" : ""))
        : el("span.about-figures", {}, formatCount(Math.max(tree.base[frame], tree.head[frame])), " · ", formatShare(Math.max(tree.base[frame], tree.head[frame]) / (this.benchmark.total || 1))));
  }

  /** A function of the table, in place of a frame. */
  describeFunction(row) {
    const {functions} = this.benchmark, figures = (title, column) => el("span.about-figures", {}, title + " ", this.graph.figures(column, row));
    replace(this.about, el("span.about-name", {}, el("code.name", {}, cutMiddle(this.matched.name(row), 1500))), figures("with callees", functions.inclusive), figures("self", functions.self));
  }

  showZoom() {
    const path = this.tree.path(this.zoom), shown = path.length > 7 ? [path[0], -1, ...path.slice(-5)] : path;
    if (this.view === "graph") return replace(this.crumbs, el("span.muted", {}, "calls around "), nameNode(this.of));
    replace(this.crumbs, this.of ? el("span.muted", {}, this.view + " of ", nameNode(this.of), ": ") : null, shown.map((frame, i) => [i ? el("span.muted", {}, " › ") : null, frame < 0 ? el("span.muted", {}, "…")
      : el("button.link", {type: "button", title: cutMiddle(this.tree.name(frame), 600), disabled: frame === this.zoom, onclick: () => this.zoomTo(frame)}, cutMiddle(this.tree.shortName(frame), 48))]));
  }

  paintSoon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.paint(); });
  }

  paint(size) {
    const start = performance.now(), {width, height, scrollTop} = size || {width: this.scroller.clientWidth, height: this.scroller.clientHeight, scrollTop: this.scroller.scrollTop};
    if (!width) return;
    this.canvas.style.width = width + "px";
    this.canvas.style.height = height + "px";
    this.painter.paint({...this, width, height, scrollTop});
    this.canvas.dataset.paintMs = (performance.now() - start).toFixed(1);
  }
}

/** One pair of listeners for whichever graph the page shows: a page is printed with the rows that the graph has then. */
for (const event of ["beforeprint", "afterprint"])
  addEventListener(event, () => {
    const canvas = document.querySelector(".flame-canvas"), view = canvas && canvas.flameView;
    if (view) view.paint(event === "beforeprint" ? {width: PRINTED.width, height: Math.min(PRINTED.height, view.tree.rows * ROW), scrollTop: 0} : null);
  });
