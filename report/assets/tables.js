// Functions, calls and source lines of a benchmark as tables: both sides and the change where two are compared.

function makeTables(benchmark, onfunction) {
  const makers = [];
  if (benchmark.functions) makers.push(["Functions", () => functionTable(benchmark, onfunction)], ["Calls", () => edgeTable(benchmark)]);
  if (benchmark.lines) makers.push(["Source lines", () => lineTable(benchmark)]);
  if (!makers.length) return null;
  const made = new Map(), body = el("div"), tools = el("div.table-tools");
  const filter = el("input.filter", {type: "search", placeholder: "Filter by name, file or library", "aria-label": "Filter rows", oninput: (event) => { current().setFilter(event.target.value); current().render(); }});
  const changed = benchmark.compared ? el("label.check", {}, el("input", {type: "checkbox", onchange: () => show()}), "only what changed") : null;
  let chosen = makers[0][0];
  const keepOf = (table, only) => (only ? table.changed : () => true);
  const current = () => {
    if (!made.has(chosen)) made.set(chosen, makers.find(([name]) => name === chosen)[1]());
    return made.get(chosen);
  };
  const show = () => {
    const table = current();
    if (changed) table.setKeep(keepOf(table, changed.firstChild.checked));
    table.setFilter(filter.value);
    table.render();
    replace(body, table.node);
    replace(tools, segmentsNode, filter, changed, table.count);
  };
  const segmentsNode = segmented("Table", makers.map(([name]) => [name, name]), chosen, (name) => { chosen = name; show(); });
  show();
  return el("section.card.tables", {}, el("h3", {}, benchmark.compared ? "What moved " : "Functions and calls ", el("span.muted", {}, benchmark.compared ? "symptoms, function by function and call by call" : "every one with its cost")), tools, body);
}

function largestChange(column) {
  let most = 1;
  for (const delta of column.delta) most = Math.max(most, Math.abs(delta));
  return most;
}

/** Columns for a pair of figures: base, head and change, or the one figure and its share. The first pair keeps its columns longest. */
function pairColumns(benchmark, title, column, hint, share, first) {
  const compared = benchmark.compared;
  if (!compared) {
    const side = benchmark.head === undefined ? baseOf : headOf;
    const columns = [{title, hint, numeric: true, value: (i) => side(column, i), cell: (i) => formatCount(side(column, i)), room: first ? null : "wide"}];
    if (share) columns.push({title: "%", hint: hint + ", as a share of the whole", numeric: true, value: (i) => side(column, i), cell: (i) => formatShare(side(column, i) / benchmark.total), room: first ? null : "wide"});
    return columns;
  }
  const most = largestChange(column);
  return [
    {title: title + " base", hint, numeric: true, room: first ? "wide" : "widest", value: (i) => baseOf(column, i), cell: (i) => formatCount(baseOf(column, i))},
    {title: title + " head", hint, numeric: true, room: first ? "wide" : "widest", value: (i) => headOf(column, i), cell: (i) => formatCount(headOf(column, i))},
    {title: title + " change", hint: hint + ": head minus base, sorted by magnitude", numeric: true, magnitude: true, value: (i) => column.delta[i], cell: (i) => changeCell(column, i, most), room: first ? null : "wider"},
  ];
}

function functionCell(benchmark, i, id, onfunction) {
  const {was, only} = benchmark.functions, name = names.nameOf(id);
  const node = nameNode(name);
  const where = [baseName(names.objectOf(id)), baseName(names.fileOf(id))].filter((part) => part && part !== "???").join(" · ");
  return el("div.function-cell", {}, el("div", {}, onfunction && benchmark.flame ? el("button.link", {type: "button", title: "find it in the flame graph", onclick: () => onfunction(name)}, node) : node,
    benchmark.compared && only[i] ? [" ", el("span.tag", {}, only[i] === "head" ? "new" : "gone")] : null),
    was[i] !== undefined ? el("div.where", {}, "was ", nameNode(names.string(was[i]))) : null, where ? el("div.where", {title: names.objectOf(id) + "  " + names.fileOf(id)}, cutMiddle(where, 90)) : null);
}

function functionTable(benchmark, onfunction) {
  const table = benchmark.functions, rows = table.id.map((_, i) => i);
  const nameColumn = {title: "function", value: (i) => names.nameOf(table.id[i]), cell: (i) => functionCell(benchmark, i, table.id[i], onfunction)};
  const columns = [nameColumn,
    ...pairColumns(benchmark, "self", table.self, "cost of the function's own code", true, true),
    ...pairColumns(benchmark, "with callees", table.inclusive, "cost of the function and everything it calls; members of a cycle share the cost of the cycle", true),
    ...pairColumns(benchmark, "calls", table.calls, "number of calls")];
  const made = new SortTable({
    label: "Functions", columns, rows, sortBy: benchmark.compared ? 3 : 1,
    text: (i) => names.nameOf(table.id[i]) + " " + names.fileOf(table.id[i]) + " " + names.objectOf(table.id[i]),
    footer: () => table.more ? el("tr", {}, el("td", {}, plural(table.more, "further function") + ", total self cost"), moreCells(benchmark, table)) : null,
  });
  made.changed = (i) => table.self.delta[i] !== 0 || table.inclusive.delta[i] !== 0 || table.calls.delta[i] !== 0;
  return made;
}

function moreCells(benchmark, table) {
  const {base, delta} = table.more_self;
  if (!benchmark.compared) return [el("td.number", {}, formatCount(base + delta)), el("td", {colSpan: 4})];
  return [el("td.number.wide", {}, formatCount(base)), el("td.number.wide", {}, formatCount(base + delta)), el("td.number", {}, el("span.change-cell", {}, formatChange(delta), el("span.bar-room"))), el("td.wider", {colSpan: 2}), el("td.widest", {colSpan: 4})];
}

function edgeTable(benchmark) {
  const table = benchmark.edges, ids = benchmark.functions.id;
  const rows = table.caller.map((_, i) => i);
  const name = (place) => names.nameOf(ids[place]);
  const columns = [
    {title: "caller", value: (i) => name(table.caller[i]), cell: (i) => nameNode(name(table.caller[i]))},
    {title: "callee", value: (i) => name(table.callee[i]), cell: (i) => [el("span.muted", {}, "→ "), nameNode(name(table.callee[i]))]},
    ...pairColumns(benchmark, "calls", table.calls, "number of these calls"),
    ...pairColumns(benchmark, "cost", table.inclusive, "inclusive cost of these calls; recursive calls count again", true, true)];
  const made = new SortTable({
    label: "Calls", columns, rows, sortBy: benchmark.compared ? 7 : 3, text: (i) => name(table.caller[i]) + " " + name(table.callee[i]),
    footer: () => table.more ? el("tr", {}, el("td.muted", {colSpan: columns.length}, plural(table.more, "further call") + " not shown")) : null,
  });
  made.changed = (i) => table.calls.delta[i] !== 0 || table.inclusive.delta[i] !== 0;
  return made;
}

function lineTable(benchmark) {
  const table = benchmark.lines, rows = table.line.map((_, i) => i);
  const columns = [
    {title: "line", value: (i) => names.string(table.file[i]) + ":" + String(table.line[i]).padStart(8, "0"),
      cell: (i) => el("div.function-cell", {}, el("code", {title: names.string(table.file[i])}, cutMiddle(baseName(names.string(table.file[i])), 60) + ":" + table.line[i]), el("div.where", {}, nameNode(names.string(table.function[i]))))},
    ...pairColumns(benchmark, "self", table.self, "cost of the line's own code", true, true)];
  const made = new SortTable({
    label: "Source lines", columns, rows, sortBy: benchmark.compared ? 3 : 1, text: (i) => names.string(table.file[i]) + " " + names.string(table.function[i]),
    footer: () => table.more ? el("tr", {}, el("td.muted", {colSpan: columns.length}, plural(table.more, "further line") + " not shown")) : null,
  });
  made.changed = (i) => table.self.delta[i] !== 0;
  return made;
}
// How both sides were measured, differences marked: those that forbid a comparison stand out from those that may be its subject.

function makeCircumstances(report, facts, title) {
  const rows = facts.filter((fact) => fact.base !== null || fact.head !== null);
  if (!rows.length) return null;
  const differs = (fact) => report.compares && fact.base !== fact.head;
  const cell = (value) => el("td", {}, value === null ? el("span.muted", {}, "not recorded") : value === "" ? el("span.muted", {}, "none") : cutMiddle(value, 400));
  const body = rows.sort((a, b) => differs(b) - differs(a)).map((fact) => el("tr" + (differs(fact) ? ".differs" : ""), {},
    el("th", {scope: "row"}, fact.name, differs(fact) ? [" ", el("span.tag", {}, fact.class === "refuse" ? "not comparable" : "differs")] : null),
    report.compares ? [cell(fact.base), cell(fact.head)] : cell(fact.head === null ? fact.base : fact.head)));
  const different = rows.filter(differs).length;
  const note = !report.compares ? "" : different ? plural(different, "difference") : "the same on both sides";
  return el("details.card.circumstances", {open: different > 0 && different < 6}, el("summary", {}, el("h3", {}, title, " ", el("span.muted", {}, note))),
    el("div.scroll-x", {}, el("table.facts", {}, report.compares ? el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "condition"), el("th", {scope: "col"}, "base"), el("th", {scope: "col"}, "head"))) : null, el("tbody", {}, body))));
}

/** The file's facts with the benchmark's own on top. */
function factsOf(report, benchmark) {
  const facts = new Map(report.fingerprint.map((fact) => [fact.name, {...fact}]));
  for (const own of (benchmark && benchmark.facts) || []) {
    if (!facts.has(own.name)) facts.set(own.name, {name: own.name, class: own.class, base: null, head: null});
    facts.get(own.name)[own.side] = own.value;
  }
  return [...facts.values()];
}
