// The list of benchmarks at the side: filtered by text and verdict, sorted by change or name; picking one shows it. A long list shows its first entries and more on request.

const ENTRIES_AT_ONCE = 200;

class BenchmarkList {
  constructor(report, onpick) {
    Object.assign(this, {report, onpick, verdict: null, filter: "", order: "change", chosen: null, shown: ENTRIES_AT_ONCE, items: new Map()});
    this.largest = Math.max(1e-12, ...report.benchmarks.map((b) => (Number.isFinite(b.ratio) ? Math.min(1, Math.abs(b.ratio)) : 0)));
    this.list = el("ul.benchmarks", {"aria-label": "Benchmarks", onkeydown: (event) => this.key(event)});
    this.count = el("div.muted.list-count", {"aria-live": "polite"});
    this.more = el("button.more", {type: "button", onclick: () => { this.shown *= 4; this.render(); }});
    const search = el("input.filter", {type: "search", placeholder: "Filter", "aria-label": "Filter benchmarks",
      oninput: (event) => { this.filter = event.target.value.toLowerCase(); this.begin(); }});
    const order = segmented("Order", report.compares ? [["change", "Change"], ["percent", "%"], ["name", "Name"]] : [["cost", "Cost"], ["name", "Name"]],
      report.compares ? "change" : "cost", (value) => { this.order = value; this.begin(); });
    if (!report.compares) this.order = "cost";
    this.node = el("nav.side-list", {"aria-label": "Benchmarks"}, el("div.list-tools", {}, search, order), this.count, this.list, this.more);
    this.node.benchmarkList = this;  // for printing
    this.render();
  }

  itemOf(b) {
    if (!this.items.has(b)) this.items.set(b, this.makeItem(b));
    return this.items.get(b);
  }

  makeItem(b) {
    const figure = b.compared ? el("span.figure" + toneClass(b.delta), {}, b.delta ? [formatPercent(b.delta, b.base), el("span.figure-count", {}, formatChange(b.delta))] : "0")
      : el("span.figure.muted", {}, b.verdict === "measured" ? formatCompact(b.total) : VERDICTS[b.verdict].word);
    const button = el("button.benchmark", {type: "button", title: b.key, tabIndex: -1, onclick: (event) => this.onpick(b, event.detail === 0)},
      el("span.benchmark-name", {}, b.path ? el("span.path", {}, cutMiddle(b.path, 80)) : null, cutMiddle(b.name, 100)),
      figure, this.report.compares ? changeBar(b.compared && Number.isFinite(b.ratio) ? b.delta : 0, Math.max(1, Math.abs(b.delta)) * this.largest / Math.max(1e-15, Math.min(this.largest, Math.abs(b.ratio)))) : null);
    return el("li", {}, button);
  }

  visible() {
    const all = this.report.benchmarks.filter((b) => (!this.verdict || b.verdict === this.verdict) && (!this.filter || b.key.toLowerCase().includes(this.filter)));
    const by = {
      change: (a, b) => Math.abs(b.delta) - Math.abs(a.delta) || a.index - b.index,
      percent: (a, b) => Math.abs(b.ratio) - Math.abs(a.ratio) || a.index - b.index,
      cost: (a, b) => b.total - a.total || a.index - b.index,
      name: (a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
    }[this.order];
    return this.order === "change" ? all : all.sort((a, b) => by(a, b) || 0);
  }

  /** From the first entries on. */
  begin() {
    this.shown = ENTRIES_AT_ONCE;
    this.render();
  }

  render(all) {
    const found = this.visible(), shown = all ? found : found.slice(0, this.shown), whole = this.report.benchmarks.length;
    replace(this.list, shown.map((b) => this.itemOf(b)));
    this.letTabReach(shown.includes(this.chosen) ? this.chosen : shown[0]);
    this.count.textContent = found.length === whole ? plural(whole, "benchmark") : formatCount(found.length) + " of " + plural(whole, "benchmark");
    this.more.hidden = shown.length === found.length;
    this.more.textContent = "Show more of " + plural(found.length - shown.length, "further benchmark");
  }

  /** Tab reaches one entry of the list; the arrow keys, Home and End the others. */
  letTabReach(benchmark) {
    if (this.reached) this.reached.tabIndex = -1;
    this.reached = benchmark && this.itemOf(benchmark).firstChild;
    if (this.reached) this.reached.tabIndex = 0;
  }

  setVerdict(verdict) {
    this.verdict = verdict;
    this.begin();
  }

  choose(benchmark) {
    if (this.chosen) this.itemOf(this.chosen).firstChild.removeAttribute("aria-current");
    this.chosen = benchmark;
    const button = this.itemOf(benchmark).firstChild, place = button.isConnected ? 0 : this.visible().indexOf(benchmark);
    if (place >= this.shown) {
      this.shown = place + ENTRIES_AT_ONCE;
      this.render();
    }
    button.setAttribute("aria-current", "true");
    this.letTabReach(benchmark);
    this.scrollTo(button);
  }

  /** Within the list: the page stays where it is. */
  scrollTo(button) {
    const box = this.list.getBoundingClientRect(), item = button.getBoundingClientRect();
    if (item.top < box.top) this.list.scrollTop -= box.top - item.top;
    if (item.bottom > box.bottom) this.list.scrollTop += item.bottom - box.bottom;
  }

  key(event) {
    const buttons = [...this.list.children].map((item) => item.firstChild), at = buttons.indexOf(event.target.closest("button"));
    if (at >= 0) this.reached = rove(event, buttons, at, () => event.target.closest("button").click()) || this.reached;
  }
}

/** All that the filter lets through are printed. */
for (const event of ["beforeprint", "afterprint"])
  addEventListener(event, () => {
    const node = document.querySelector(".side-list");
    if (node) node.benchmarkList.render(event === "beforeprint");
  });
