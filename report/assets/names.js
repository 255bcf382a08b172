// Names of functions: short where there is little room, full in the tooltip and wherever they are searched.

/** Asked by everything that shows names; filled once from the report. */
const names = {
  shortOf: new Map(),
  fill(report) {
    const strings = report.strings.all;
    for (const [number, short] of Object.entries(report.strings.short)) this.shortOf.set(strings[number], short);
    this.strings = strings;
    this.functions = report.functions;
  },
  short(name) { return cutMiddle(this.shortOf.get(name) || name, 120); },
  string(number) { return this.strings[number]; },
  nameOf(id) { return this.strings[this.functions.name[id]]; },
  fileOf(id) { return this.strings[this.functions.file[id]]; },
  objectOf(id) { return this.strings[this.functions.object[id]]; },
};

function cutMiddle(text, most) {
  if (text.length <= most) return text;
  const half = Math.floor((most - 3) / 2);
  return text.slice(0, half) + " … " + text.slice(text.length - half);
}

function baseName(path) { return path.slice(path.lastIndexOf("/") + 1); }

function nameNode(name) { return el("code.name", {title: cutMiddle(name, 1500)}, names.short(name)); }

/** A sentence of icount's: what stands between backticks is a name; in the rest, minus signs and arrows are those of all other texts here. */
function sentence(text) {
  return text.split("`").map((piece, i) => (i % 2 ? nameNode(piece) : piece.replace(/(^|[\s(])-(?=\d)/g, "$1" + MINUS).replaceAll(" -> ", " → ")));
}
