// Inside the functions that lead: their source line by line, with executions and self cost of both sides; each is folded, and made when it is asked for.

const SPLIT_WIDTH = 1180;  // narrower pages show both sides' texts in one column

function makeInside(benchmark) {
  if (!benchmark.inside || !benchmark.inside.length) return null;
  return el("section.card.insides", {}, el("h3", {}, "Inside ", el("span.muted", {}, "the functions that lead, line by line: executions and self cost")), benchmark.inside.map(insideFunction));
}

function insideFunction(listing) {
  const [base, head] = listing.self;
  const body = el("div.inside-body");
  const node = el("details.inside-function", {}, el("summary", {}, nameNode(listing.function), " ", el("span.muted", {}, "self cost " + formatCount(base) + " → " + formatCount(head) + " "),
    el("span.inside-change" + toneClass(head - base), {}, formatChange(head - base))), body);
  node.addEventListener("toggle", () => {
    if (!node.open || body.firstChild) return;
    append(body, [makeNotes(listing.notes || []), listing.files.map((file) => sourceTable(listing, file)), leftOut(listing.more)]);
  });
  return node;
}

function leftOut(more) {
  return more ? el("p.muted.small", {}, plural(more.files, "further file") + ", self cost " + arrowed(more.self)) : null;
}

function arrowed([base, head]) { return base === head ? formatCount(base) : formatCount(base) + " → " + formatCount(head); }

function rate(count, per) { return per ? trimZeros((count / per).toFixed(count / per >= 100 ? 0 : 2)) : "0"; }

function sourceTable(listing, file) {
  const split = file.split && document.documentElement.clientWidth >= SPLIT_WIDTH;
  const titles = split ? ["", "executed", "self", "base", "", "executed", "self", "change", "head"] : ["", "executed", "", "self", "", "change", ""];
  const head = split ? [el("tr", {}, titles.map((title, i) => el((title ? "th" : "td") + (i % 5 === 3 || i === 8 ? "" : ".number"), title ? {scope: "col"} : {}, title)))]
    : [el("tr", {}, el("th.number", {scope: "col"}, "line"), el("th.number.wide", {colSpan: 2, scope: "colgroup"}, "executed: base, head"), el("th.number.wide", {colSpan: 2, scope: "colgroup"}, "self cost: base, head"), el("th.number", {scope: "col"}, "change"), el("th", {scope: "col"}, "source"))];
  const rows = [];
  for (const row of file.rows) {
    if (row.gap) rows.push(el("tr.source-gap", {}, el("td", {colSpan: split ? 9 : 7}, "⋯")));
    for (const number of row.loops || []) rows.push(el("tr.source-loop", {}, el("td", {colSpan: split ? 9 : 7}, loopText(listing.loops[number]))));
    rows.push(split ? splitRow(row) : unifiedRow(row));
  }
  if (file.more) rows.push(el("tr.source-gap", {}, el("td", {colSpan: split ? 9 : 7}, plural(file.more.lines, "further line") + ", self cost " + arrowed(file.more.self))));
  return el("div.source-box", {}, el("h4", {title: file.file}, el("code", {}, cutMiddle(baseName(file.file), 80))), el("div.scroll-x", {tabIndex: 0, role: "region", "aria-label": "Source of " + cutMiddle(baseName(file.file), 80)}, el("table.source" + (split ? ".split" : ""), {}, el("thead", {}, head), el("tbody", {}, rows))));
}

function loopText({lines: [first, last], entries, iterations}) {
  const per = [0, 1].map((side) => rate(iterations[side], entries[side]));
  return [el("b", {}, first === last ? "loop at line " + first : "loop at lines " + first + "–" + last), ": entered " + arrowed(entries) + (entries[0] === 1 && entries[1] === 1 ? " time, " : " times, "), el("b", {}, (per[0] === per[1] ? per[0] : per[0] + " → " + per[1]) + " iterations per entry"), ", " + arrowed(iterations) + " in all"];
}

function wasExecuted(row) { return row.executions[0] !== 0 || row.executions[1] !== 0 || row.self[0] !== 0 || row.self[1] !== 0; }

function rowClass(row) {
  const delta = row.self[1] - row.self[0];
  return (row.only ? ".only-" + row.only : Array.isArray(row.text) ? ".rewritten" : "") + (delta > 0 ? ".costs-more" : delta < 0 ? ".costs-less" : "") + (wasExecuted(row) ? "" : ".idle");
}

/** A line of source behind one bar for each loop around it. */
function codeLine(row, ...texts) {
  return el("div.code-line", {}, el("span.depth", {"aria-hidden": "true"}, Array.from({length: Math.min(row.depth || 0, 8)}, () => el("i"))), el("div.texts", {}, texts));
}

function changeOf(row) {
  const delta = row.self[1] - row.self[0];
  return el("td.number", {}, wasExecuted(row) ? el("span" + toneClass(delta), {}, formatChange(delta)) : "");
}

function figuresOf(row, name, side, hidden) { return el("td.number" + (hidden ? ".wide" : ""), {}, wasExecuted(row) && row.line[side] ? formatCount(row[name][side]) : ""); }

function textOf(row, side) {
  if (row.text === undefined || !row.line[side]) return "";
  return Array.isArray(row.text) ? row.text[side] : row.text;
}

function splitRow(row) {
  const half = (side) => [el("td.number.line-number", {}, row.line[side] || ""), figuresOf(row, "executions", side), figuresOf(row, "self", side)];
  return el("tr" + rowClass(row), {}, half(0), el("td.code.left", {}, codeLine(row, el("code", {}, textOf(row, 0)))), half(1), changeOf(row), el("td.code.right", {}, codeLine(row, el("code", {}, textOf(row, 1)))));
}

function unifiedRow(row) {
  const number = row.line[1] || row.line[0];
  const texts = Array.isArray(row.text) ? [el("code.removed", {}, row.text[0]), el("code.added", {}, row.text[1])] : el("code" + (row.only === "base" ? ".removed" : row.only === "head" ? ".added" : ""), {}, row.text === undefined ? "" : row.text);
  const figures = wasExecuted(row) ? el("span.source-figures", {}, "executed " + arrowed(row.executions) + ", self " + arrowed(row.self)) : null;
  return el("tr" + rowClass(row), {}, el("td.number.line-number", {title: row.line[0] && row.line[1] && row.line[0] !== row.line[1] ? "line " + row.line[0] + " of base" : row.line[1] ? "" : "a line of base"}, number),
    figuresOf(row, "executions", 0, true), figuresOf(row, "executions", 1, true), figuresOf(row, "self", 0, true), figuresOf(row, "self", 1, true), changeOf(row), el("td.code", {}, codeLine(row, texts, figures)));
}
