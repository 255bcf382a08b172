"""What report_page_test.py asks a page, as expressions of the page, and figures as a page writes them."""

VIEW = "document.querySelector('.flame-canvas').flameView"


def count(value):
    return f"{value:,}".replace("-", "\u2212")


def change(value):
    return ("+" if value > 0 else "") + count(value)


def number(text):
    return int(text.replace(",", "").replace("\u2212", "-") or 0)


def stand_in_order(shown, causes):
    """Whether rows of single causes are the largest one and then others of diff's JSON, in its order; calls by one function are joined in a row of their own. Causes in a place hang below its row."""
    rows = [cause for cause in causes if cause["kind"] != "group"]
    told = iter([change(cause["delta"]) for cause in rows])
    return shown[:1] == [change(cause["delta"]) for cause in rows if cause["delta"]][:1] and all(delta in told for delta in shown)


# What the page shows of every benchmark, by its label: picks one after the other.
EVERY_BENCHMARK = r"""Object.fromEntries([...document.querySelectorAll('.benchmark')].map((row) => {
  row.click();
  const texts = (selector) => [...document.querySelectorAll('.detail ' + selector)].map((node) => node.textContent);
  return [row.title, {
    totals: texts('.big-value'), causes: texts('.waterfall > .cause:not(.total):not([data-kind=group]):not([data-kind=smaller]) > .cause-delta'), functions: texts('.tables tbody tr td:nth-child(4) .change-cell > :first-child'),
    causeSum: [...document.querySelectorAll('.detail .cause[data-delta]')].reduce((sum, cause) => sum + Number(cause.dataset.delta), 0),
  }];
}))"""

# Functions whose frames do not add up to the self cost in the table of functions: as [name, side, frames, table].
FLAT_DIFFERENCES = r"""(() => {
  const {tree, matched, benchmark: {functions}} = %s, wrong = [];
  for (const [side, own] of [["base", tree.selfBase], ["head", tree.selfHead]]) {
    const sums = new Map();
    for (let i = 1; i < tree.size; i++) if (own[i]) sums.set(tree.name(i), (sums.get(tree.name(i)) || 0) + own[i]);
    functions.id.forEach((id, row) => sums.set(matched.name(row), (sums.get(matched.name(row)) || 0) - functions.self.base[row] - (side === "head" ? functions.self.delta[row] : 0)));
    // The table counts the code that jumps from one object to a function of another as that function's; stacks show it by its address.
    for (const [name, left] of sums) if (Math.abs(left) > 10 && !name.startsWith("0x")) wrong.push([name, side, left]);
  }
  return wrong.slice(0, 5);
})()""" % VIEW

# Functions for which the search by their whole name tells other figures than the table's rows of that name.
SEARCH_DIFFERENCES = r"""(() => {
  const {matched, benchmark: {functions}} = %s, rows = new Map(), wrong = [];
  functions.id.forEach((id, row) => { const name = matched.name(row); rows.set(name, [...(rows.get(name) || []), row]); });
  const step = Math.ceil(rows.size / 1500);  // of tens of thousands every so manyth
  for (const [name, of] of [...rows].filter((_, i) => i %% step === 0)) {
    const found = matched.findExactly(name);
    const sum = (column, head) => of.reduce((all, row) => all + functions[column].base[row] + head * functions[column].delta[row], 0);
    const wanted = [of.length, sum("self", 0), sum("self", 1)], got = [found.count, found.self.base, found.self.head];
    if (of.length === 1) { wanted.push(sum("inclusive", 0), sum("inclusive", 1)); got.push(found.inclusive.base, found.inclusive.head); }
    if (String(wanted) !== String(got)) wrong.push([name, wanted, got]);
  }
  return wrong.slice(0, 5);
})()""" % VIEW

# Boxes that hide a part of what is in them at their side; source code may.
SCROLLING_SIDEWAYS = r"""[...document.querySelectorAll('#app *')].filter((node) => node.scrollWidth > node.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(node).overflowX) && !node.matches('pre') && !node.querySelector('.source'))
  .map((node) => [node.className, node.scrollWidth, node.clientWidth, node.textContent.slice(0, 40)]).slice(0, 5)"""

# What axe-core finds wrong with the page, after its script: as [rule, how bad, how often, the first element].
AXE_VIOLATIONS = "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map((one) => [one.id, one.impact, one.nodes.length, one.nodes[0].html.slice(0, 200)]))"

# Texts whose contrast with what is behind them is below 4.5 (3 for large ones): WCAG's formula on computed colours.
UNREADABLE = r"""(() => {
  const channel = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const behind = (node) => { for (; node; node = node.parentElement) { const c = parse(getComputedStyle(node).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  const bad = new Set();
  const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode() && seen < 3000) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.disabled) continue;
    seen++;
    const style = getComputedStyle(node), ink = parse(node.namespaceURI.endsWith("svg") ? style.fill : style.color).slice(0, 3), ground = behind(node);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x), contrast = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 600);
    if (contrast < (large ? 3 : 4.5)) bad.add(node.className + " " + contrast.toFixed(2) + " " + walker.currentNode.data.trim().slice(0, 30));
  }
  return [...bad].slice(0, 5);
})()"""
