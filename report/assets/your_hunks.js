// What part of the change each unit of hunks is, where the commits between the sides are known, with the source of the hunks beside it.

function makeYourHunks(benchmark) {
  const mine = benchmark.mine;
  if (!mine) return null;
  const first = mine.rows.find((row) => row.hunks);
  return el("section.card.your-hunks", {}, el("h3", {}, "Your hunks ", el("span.muted", {}, "the parts of your diff in the change, which add up to it")),
    mine.lines.map((line) => el("p", {}, sentence(line))), mine.rows.map((row) => hunksRow(row, row === first)),
    mine.diff ? el("p.muted.small", {}, sentence(mine.diff)) : null, mine.control ? el("p", {}, sentence(mine.control)) : null, makeNotes(mine.notes));
}

function hunksRow(row, isOpen) {
  const words = [row.delta === undefined ? null : [el("span.inside-change" + toneClass(row.delta), {}, formatChange(row.delta)), " "], sentence(row.text),
    row.executed ? el("span.muted", {}, row.executed === "no" ? " not executed" : row.executed === "yes" ? " executed" : " executed " + row.executed) : null];
  const inside = row.inside.map((text) => el("p.small", {}, sentence(text)));
  if (!row.hunks) return el("div.inside-function", {}, words, inside);
  return el("details.inside-function", {open: isOpen}, el("summary", {}, words), inside, el("div.inside-body", {}, row.hunks.map(hunkSource), row.more ? el("p.muted.small", {}, plural(row.more, "further hunk")) : null));
}

function hunkSource(hunk) {
  const rows = hunk.sides.map(({first, lines, more}, side) => {
    const [kind, mark] = side ? ["tr.only-head", "code.added"] : ["tr.only-base", "code.removed"];
    return [lines.map((line, i) => el(kind, {}, el("td.number.line-number", {title: side ? "" : "a line of base"}, first + i), el("td.code", {}, el("div.texts", {}, el(mark, {}, line))))),
      more ? el("tr.source-gap", {}, el("td", {colSpan: 2}, plural(more, "further line"))) : null];
  });
  return el("div.source-box", {}, el("h4", {title: hunk.file}, sentence(hunk.place), hunk.delta === undefined ? null : [" ", el("span.inside-change" + toneClass(hunk.delta), {}, formatChange(hunk.delta))],
    hunk.executed ? null : el("span.muted", {}, " not executed")), el("div.scroll-x", {tabIndex: 0, role: "region", "aria-label": "Source of " + hunk.place}, el("table.source", {}, el("tbody", {}, rows))));
}
