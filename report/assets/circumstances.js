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
