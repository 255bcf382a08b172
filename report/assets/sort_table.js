// A table that sorts by any column and filters by text; long ones show their first rows and more on request.

const ROWS_AT_ONCE = 25;

/**
 * columns: [{title, hint, value(row), cell(row), numeric, room}]; rows: numbers or objects; text(row): what the filter looks at.
 * room: "wide", "wider" or "widest", the place that must be there for the column to be shown; without it, it always is.
 * Nothing is in it before render(), which returns its node.
 * The first sort of a numeric column is from the largest down (by magnitude where `magnitude` is set).
 */
class SortTable {
  constructor({label, columns, rows, text, sortBy, footer, onrow}) {
    Object.assign(this, {label, columns, rows, text, footer, onrow, shown: ROWS_AT_ONCE, filter: "", keep: () => true});
    this.sortColumn = sortBy || 0;
    this.descending = Boolean(columns[this.sortColumn].numeric);
    this.heads = columns.map((column, i) => this.makeHead(column, i));
    this.body = el("tbody");
    this.foot = el("tfoot");
    this.more = el("button.more", {type: "button", onclick: () => { this.shown = Math.min(this.shown * 4, this.shown + 1000); this.render(); }});
    this.count = el("span.muted", {"aria-live": "polite"});
    const table = el("table.data", {"aria-label": label}, el("thead", {}, el("tr", {}, this.heads)), this.body, this.foot);
    this.node = el("div.table-box", {}, el("div.scroll-x", {}, table), this.more);
    this.orders = new Map();
    this.texts = [];
  }

  makeHead(column, i) {
    const button = el("button.head", {type: "button", title: column.hint || "", onclick: () => this.sort(i)}, column.title);
    return el("th" + this.classes(column), {scope: "col"}, button);
  }

  classes(column) { return (column.numeric ? ".number" : "") + (column.room ? "." + column.room : ""); }

  sort(i) {
    if (this.sortColumn === i) this.descending = !this.descending;
    else [this.sortColumn, this.descending] = [i, Boolean(this.columns[i].numeric)];
    this.render();
  }

  setFilter(filter) {
    this.filter = filter.toLowerCase();
    this.shown = ROWS_AT_ONCE;
  }

  setKeep(keep) { this.keep = keep; }

  /** All rows in the chosen order, as places in `rows`; each order is made once. */
  order() {
    const chosen = this.sortColumn + (this.descending ? " down" : " up");
    if (!this.orders.has(chosen)) {
      const {value, magnitude} = this.columns[this.sortColumn], sign = this.descending ? -1 : 1;
      const keys = this.rows.map((row) => (magnitude ? Math.abs(value(row)) : value(row)));
      this.orders.set(chosen, Uint32Array.from(keys.keys()).sort((a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : a - b)));
    }
    return this.orders.get(chosen);
  }

  visibleRows() {
    const found = (at) => (this.texts[at] ??= this.text(this.rows[at]).toLowerCase()).includes(this.filter), rows = [];
    for (const at of this.order()) if (this.keep(this.rows[at]) && (!this.filter || found(at))) rows.push(this.rows[at]);
    return rows;
  }

  render() {
    const rows = this.visibleRows(), shown = rows.slice(0, this.shown);
    this.heads.forEach((head, i) => head.setAttribute("aria-sort", i !== this.sortColumn ? "none" : this.descending ? "descending" : "ascending"));
    replace(this.body, shown.map((row) => el("tr", {onclick: this.onrow ? () => this.onrow(row) : null, className: this.onrow ? "clickable" : ""},
      this.columns.map((column) => el("td" + this.classes(column), {}, column.cell(row))))));
    if (!rows.length) replace(this.body, el("tr", {}, el("td.empty", {colSpan: this.columns.length}, this.filter ? "Nothing matches the filter." : "Nothing to show.")));
    this.more.hidden = shown.length === rows.length;
    this.more.textContent = "Show more of " + plural(rows.length - shown.length, "further row");
    this.count.textContent = rows.length === this.rows.length ? plural(rows.length, "row") : formatCount(rows.length) + " of " + plural(this.rows.length, "row");
    replace(this.foot, this.footer && !this.filter ? this.footer() : null);
    return this.node;
  }
}

/** A change as figure and bar: the bar grows from the middle, to the right for more. */
/** Row i of a column {base, delta}: the change, with both sides in the tooltip. */
function changeCell(column, i, largest) {
  const delta = column.delta[i];
  return el("span.change-cell", {title: formatCount(baseOf(column, i)) + " → " + formatCount(headOf(column, i))}, el("span" + toneClass(delta), {}, formatChange(delta)), changeBar(delta, largest));
}

function toneClass(delta) { return delta > 0 ? ".more-ink" : delta < 0 ? ".less-ink" : ".muted"; }

function changeBar(delta, largest) {
  const bar = el("span.bar", {"aria-hidden": "true"});
  if (delta) {
    const fill = el(delta > 0 ? "span.bar-fill.more-fill" : "span.bar-fill.less-fill");
    const width = Math.max(1.5, 50 * Math.abs(delta) / largest);
    fill.style.width = width + "%";
    fill.style.left = (delta > 0 ? 50 : 50 - width) + "%";
    bar.append(fill);
  }
  return bar;
}
