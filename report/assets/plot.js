// Axes, marks and tooltips for plots. A plot is drawn anew for every width, so that its text keeps its size.

const PLOT_COLORS = ["series-a", "series-b", "series-c", "series-d", "series-e", "series-f"];
const PLOT_SHAPES = ["circle", "square", "triangle", "diamond", "cross", "ring"];

/** A scale from values to pixels: kind "log" or "linear". Ranges of no extent are widened. */
function makeScale(kind, low, high, from, to) {
  if (kind === "log") {
    if (low === high) [low, high] = [low / 2, high * 2];
    const a = Math.log10(low), b = Math.log10(high);
    const at = (value) => from + (Math.log10(value) - a) / (b - a) * (to - from);
    return Object.assign(at, {ticks: logTicks(low, high, Math.abs(to - from)), low, high});
  }
  if (low === high) [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) * 0.05, high + Math.abs(high) * 0.05];
  const at = (value) => from + (value - low) / (high - low) * (to - from);
  return Object.assign(at, {ticks: linearTicks(low, high, Math.max(2, Math.abs(to - from) / 70)), low, high});
}

function linearTicks(low, high, count) {
  const rough = (high - low) / count, size = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

function logTicks(low, high, pixels) {
  const decades = Math.log10(high / low), ticks = [];
  const steps = decades * 90 > pixels * 2 ? [1] : decades > 2.5 || pixels / Math.max(decades, 0.1) < 130 ? [1] : [1, 2, 5];
  const every = Math.max(1, Math.ceil(decades * 48 / pixels));
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++)
    for (const m of steps) if (m * 10 ** e >= low * 0.9999 && m * 10 ** e <= high * 1.0001 && e % every === 0) ticks.push(Number((m * 10 ** e).toPrecision(6)));
  return ticks.length > 1 ? ticks : [low, high];
}

/**
 * A figure that is drawn by draw(width, height) -> SVG nodes whenever its width changes. Points given to `mark` with a tip
 * show it under the mouse.
 */
class Plot {
  constructor({label, height, draw}) {
    Object.assign(this, {draw, height});
    this.svg = svg("svg.plot", {role: "img", "aria-label": label});
    this.tip = el("div.flame-tip", {hidden: true});
    this.node = el("div.plot-box", {}, this.svg, this.tip);
    this.svg.addEventListener("mousemove", (event) => this.hover(event));
    this.svg.addEventListener("mouseleave", () => { this.tip.hidden = true; });
    new ResizeObserver(() => this.render()).observe(this.node);
    onTheme(this.node, () => this.render());
  }

  render() {
    const width = this.node.clientWidth, height = typeof this.height === "function" ? this.height(width) : this.height;
    if (!width || !this.node.isConnected) return;
    this.tips = [];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("height", height);
    this.svg.setAttribute("width", width);
    replace(this.svg, this.draw(width, height, this));
  }

  /** A mark of series number `series` whose tip is what tip() returns. */
  mark(x, y, series, tip, size = 4) {
    if (tip) this.tips.push({x, y, tip});
    return shapeMark(x, y, series, size);
  }

  hover(event) {
    const box = this.svg.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = null, distance = 18 ** 2;
    for (const entry of this.tips || []) {
      const d = (entry.x - x) ** 2 + (entry.y - y) ** 2;
      if (d < distance) [best, distance] = [entry, d];
    }
    this.tip.hidden = !best;
    if (!best) return;
    if (this.tipShown !== best) replace(this.tip, best.tip());
    this.tipShown = best;
    this.tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - this.tip.offsetWidth - 12)) + "px";
    this.tip.style.top = Math.max(8, Math.min(event.clientY + 16, innerHeight - this.tip.offsetHeight - 8)) + "px";
  }
}

function shapeMark(x, y, series, size) {
  const name = PLOT_COLORS[series % PLOT_COLORS.length], s = size;
  switch (PLOT_SHAPES[series % PLOT_SHAPES.length]) {
    case "circle": return svg("circle.mark-" + name, {cx: x, cy: y, r: s});
    case "square": return svg("rect.mark-" + name, {x: x - s * 0.9, y: y - s * 0.9, width: s * 1.8, height: s * 1.8});
    case "triangle": return svg("path.mark-" + name, {d: `M${x} ${y - s * 1.1}l${s * 1.1} ${s * 1.9}h${-s * 2.2}z`});
    case "diamond": return svg("path.mark-" + name, {d: `M${x} ${y - s * 1.25}l${s * 1.25} ${s * 1.25}l${-s * 1.25} ${s * 1.25}l${-s * 1.25} ${-s * 1.25}z`});
    case "cross": return svg("path.mark-" + name + ".open", {d: `M${x - s} ${y - s}l${2 * s} ${2 * s}M${x - s} ${y + s}l${2 * s} ${-2 * s}`});
    default: return svg("circle.mark-" + name + ".open", {cx: x, cy: y, r: s});
  }
}

function seriesKey(entries) {
  return el("div.plot-keys", {}, entries.map(([text, series]) => el("span.key", {}, svg("svg", {width: 14, height: 14, "aria-hidden": "true"}, shapeMark(7, 7, series, 4.5)), el("span", {}, text))));
}

/** A label below the tick at x; one that would be cut off at the right ends where the room ends. */
function xTickLabel(box, x, text) {
  const room = box.right + 14, isCut = x + 3.6 * text.length > room;  // about seven pixels a letter
  return svg("text.tick", {x: isCut ? room : x, y: box.bottom + 17, "text-anchor": isCut ? "end" : "middle"}, text);
}

/** Grid lines and labels of both axes around the box {left, right, top, bottom}. */
function drawAxes(box, x, y, format) {
  return [
    y.ticks.map((tick) => [svg("line.grid", {x1: box.left, x2: box.right, y1: y(tick), y2: y(tick)}), svg("text.tick", {x: box.left - 8, y: y(tick) + 4, "text-anchor": "end"}, format.y(tick))]),
    x.ticks.map((tick) => [svg("line.grid", {x1: x(tick), x2: x(tick), y1: box.top, y2: box.bottom}), xTickLabel(box, x(tick), format.x(tick))]),
    format.xTitle ? svg("text.axis-title", {x: (box.left + box.right) / 2, y: box.bottom + 36, "text-anchor": "middle"}, format.xTitle) : null,
    format.yTitle ? svg("text.axis-title", {x: box.left, y: box.top - 10, "text-anchor": "start"}, format.yTitle) : null,
  ];
}
// A benchmark's cost per run over the results given, oldest first: what rose when.

function makeHistory(report, benchmark) {
  const values = benchmark.history;
  if (!values || values.filter((value) => value !== null).length < 2) return null;
  const points = values.map((value, i) => ({value, i, name: report.history[i]})).filter((point) => point.value !== null);
  const plot = new Plot({label: "history of " + benchmark.key, height: 220, draw: (width, height, self) => drawHistory(report, points, width, height, self)});
  return el("section.card", {}, el("h3", {}, "History ", el("span.muted", {}, "cost per run, oldest first")), plot.node);
}

function drawHistory(report, points, width, height, plot) {
  const box = {left: 74, right: width - 18, top: 24, bottom: height - 34}, all = points.map((point) => point.value);
  const low = Math.min(...all), high = Math.max(...all), room = (high - low || high * 0.02 || 1) * 0.15;
  const x = makeScale("linear", -0.3, report.history.length - 0.7, box.left, box.right), y = makeScale("linear", Math.max(0, low - room), high + room, box.bottom, box.top);
  const every = Math.ceil(report.history.length / Math.max(2, (box.right - box.left) / 90));
  x.ticks = report.history.map((_, i) => i).filter((i) => (report.history.length - 1 - i) % every === 0);
  const most = Math.floor((box.right - box.left) / Math.max(1, x.ticks.length) / 7);
  const line = points.map((point, i) => (i ? "L" : "M") + x(point.i) + " " + y(point.value)).join("");
  const before = (i) => (i > 0 ? points[i].value - points[i - 1].value : 0);
  return [drawAxes(box, x, y, {x: (i) => cutMiddle(baseName(report.history[i]), Math.max(6, most)), y: formatCompact, yTitle: "per run; the axis does not start at 0"}),
    svg("path.line-series-a", {d: line}),
    points.map((point, i) => plot.mark(x(point.i), y(point.value), 0, () => [el("div.tip-name", {}, cutMiddle(point.name, 300)), formatCount(Math.round(point.value * 100) / 100), " ",
      before(i) ? el("b" + toneClass(before(i)), {}, formatPercent(before(i), points[i - 1].value)) : null], 4.5))];
}
// How a cost grows with a size, and the functions in it that grow; straight lines, whose steepness is the power.

function makeGrowth(growth) {
  const functions = growth.functions.filter((one) => one.growth.law !== "constant").slice(0, PLOT_COLORS.length - 1);
  const lines = [{name: "all", costs: growth.costs, growth: growth.growth}, ...functions.map((one) => ({...one, name: one.function}))];
  const points = lines.flatMap((line, series) => line.costs.map((cost, i) => ({line, series, cost, size: growth.sizes[i]}))).filter((point) => point.cost > 0);
  const plot = new Plot({label: "growth of " + growth.label, height: (width) => (width < 500 ? 280 : 360), draw: (width, height, self) => drawGrowth(growth, points, width, height, self)});
  return el("section.card.growth", {}, el("h2", {}, "Cost over size ", el("span.muted", {}, cutMiddle(growth.label, 120))),
    el("p.muted.small", {}, "The whole and its functions' own costs; the steeper the line, the higher the power of n."),
    points.length ? [seriesKey(lines.map((line, i) => [cutMiddle(line.name, 120) + ", " + line.growth.text, i])), plot.node] : el("p.muted", {}, "It costs nothing at any size."));
}

function drawGrowth(growth, points, width, height, plot) {
  const box = {left: 74, right: width - 16, top: 26, bottom: height - 44}, [lowX, highX] = rangeOf(growth.sizes), [lowY, highY] = rangeOf(points.map((point) => point.cost));
  const x = makeScale("log", lowX / 1.1, highX * 1.1, box.left, box.right), y = makeScale("log", lowY / 1.3, highY * 1.3, box.bottom, box.top);
  if (growth.sizes.length * 60 < box.right - box.left) x.ticks = growth.sizes;
  const path = (series) => points.filter((point) => point.series === series).map((point, i) => (i ? "L" : "M") + x(point.size) + " " + y(point.cost)).join("");
  return [drawAxes(box, x, y, {x: formatCompact, y: formatCompact, xTitle: "n", yTitle: growth.event + " per run"}),
    PLOT_COLORS.map((name, series) => svg("path.line-" + name, {d: path(series)})),
    points.map((point) => plot.mark(x(point.size), y(point.cost), point.series, () => [el("div.tip-name", {}, cutMiddle(point.line.name, 300)), formatCount(point.cost), " at n = " + formatCount(point.size) + ", " + point.line.growth.text]))];
}
// A Fuzzer run: what a statement costs over the size of its inputs, and how two statements compare on each of them.

function makeFuzz(run) {
  const {points} = run, all = points.elements.map((_, i) => i);
  const seconds = run.unit === "seconds", format = seconds ? formatSeconds : formatCompact;
  const measured = all.filter((i) => points.cost[i] > 0 && points.elements[i] > 0), compared = all.filter((i) => points.cost[i] > 0 && points.against[i] > 0 && points.elements[i] > 0);
  const keys = [[run.stmt + fitText(run.fit), 0]];
  if (run.against) keys.push([run.against + fitText(run.fit_against), 1]);
  return el("section.card.fuzz", {}, el("h2", {}, "Cost over input size ", el("span.muted", {}, cutMiddle(run.source, 120))),
    el("p.muted.small", {}, cutMiddle(run.name, 200) + ", " + plural(all.length, "sample") + (run.failed ? ", " + formatCount(run.failed) + " failed" : "")),
    measured.length ? [seriesKey(keys.map(([text, series]) => [cutMiddle(text, 160), series])), costPlot(run, measured, format).node] : el("p.muted", {}, "No sample was measured."),
    compared.length ? [el("h3", {}, "Second statement against the first ", el("span.muted", {}, "above the line it costs more")), ratioPlot(run, compared).node] : null,
    measured.length ? fuzzTable(run, all, format) : null);
}

function fitText(fit) { return fit ? "  ≈ size^" + fit.exponent.toFixed(2) : ""; }

function rangeOf(values) { return [Math.min(...values), Math.max(...values)]; }

function sampleTip(run, i, format) {
  const {points} = run;
  return () => [el("div.tip-name", {}, "sample " + points.sample[i] + ": " + formatCount(points.elements[i]) + " elements"), el("div.where", {}, cutMiddle(points.shape[i], 400)),
    el("div", {}, "first: " + format(points.cost[i])), points.against[i] > 0 ? el("div", {}, "second: " + format(points.against[i]), " ", el("b" + toneClass(points.against[i] - points.cost[i]), {}, formatPercent(points.against[i] - points.cost[i], points.cost[i]))) : null];
}

function costPlot(run, measured, format) {
  const {points} = run;
  const costs = measured.flatMap((i) => [points.cost[i], points.against[i]].filter((cost) => cost > 0));
  return new Plot({label: "cost over input size", height: (width) => (width < 500 ? 280 : 360), draw: (width, height, plot) => {
    const box = {left: 74, right: width - 16, top: 26, bottom: height - 44};
    const [lowX, highX] = rangeOf(measured.map((i) => points.elements[i])), [lowY, highY] = rangeOf(costs);
    const x = makeScale("log", lowX / 1.2, highX * 1.2, box.left, box.right), y = makeScale("log", lowY / 1.3, highY * 1.3, box.bottom, box.top);
    const fitLine = (fit, name) => fit ? svg("path.fit.line-" + name, {d: [lowX, highX].map((at, i) => (i ? "L" : "M") + x(at) + " " + Math.max(box.top, Math.min(box.bottom, y(fit.factor * at ** fit.exponent)))).join("")}) : null;
    return [drawAxes(box, x, y, {x: formatCompact, y: format, xTitle: "elements of all tensors in total", yTitle: run.unit + " per run"}),
      fitLine(run.fit, "series-a"), fitLine(run.fit_against, "series-b"),
      measured.map((i) => [plot.mark(x(points.elements[i]), y(points.cost[i]), 0, sampleTip(run, i, format), 3.5), points.against[i] > 0 ? plot.mark(x(points.elements[i]), y(points.against[i]), 1, sampleTip(run, i, format), 3.5) : null])];
  }});
}

function ratioPlot(run, compared) {
  const {points} = run, ratio = (i) => points.against[i] / points.cost[i], format = run.unit === "seconds" ? formatSeconds : formatCompact;
  return new Plot({label: "ratio of both statements over input size", height: 240, draw: (width, height, plot) => {
    const box = {left: 74, right: width - 16, top: 26, bottom: height - 44}, [low, high] = rangeOf(compared.map(ratio)), [lowX, highX] = rangeOf(compared.map((i) => points.elements[i]));
    const x = makeScale("log", lowX / 1.2, highX * 1.2, box.left, box.right), y = makeScale("log", Math.min(low, 1) / 1.05, Math.max(high, 1) * 1.05, box.bottom, box.top);
    if (y.ticks.length < 4) y.ticks = linearTicks(y.low, y.high, 4).filter((tick) => tick > 0);
    return [drawAxes(box, x, y, {x: formatCompact, y: (tick) => trimZeros(tick.toPrecision(3)) + "×", xTitle: "elements of all tensors in total", yTitle: "cost of second / cost of first"}),
      svg("line.one", {x1: box.left, x2: box.right, y1: y(1), y2: y(1)}),
      compared.map((i) => plot.mark(x(points.elements[i]), y(ratio(i)), ratio(i) >= 1 ? 1 : 0, sampleTip(run, i, format), 3.5))];
  }});
}

function fuzzTable(run, all, format) {
  const {points} = run;
  const difference = (i) => (points.cost[i] > 0 && points.against[i] > 0 ? points.against[i] / points.cost[i] - 1 : 0);
  const columns = [
    {title: "sample", value: (i) => points.sample[i], cell: (i) => [el("span", {}, String(points.sample[i]) + "  "), el("span.where", {}, cutMiddle(points.shape[i], 160))]},
    {title: "elements", numeric: true, value: (i) => points.elements[i], cell: (i) => formatCount(points.elements[i])},
    {title: run.against ? "first" : "cost", numeric: true, room: run.against ? "wide" : null, value: (i) => points.cost[i] || 0, cell: (i) => (points.cost[i] === null ? "failed" : format(points.cost[i]))},
  ];
  if (run.against) columns.push({title: "second", numeric: true, room: "wide", value: (i) => points.against[i] || 0, cell: (i) => (points.against[i] === null ? "failed" : format(points.against[i]))},
    {title: "second against first", numeric: true, magnitude: true, value: difference, cell: (i) => el("span" + toneClass(difference(i)), {}, formatShare(difference(i), true))});
  else columns.push({title: "per element", numeric: true, value: (i) => (points.cost[i] || 0) / (points.elements[i] || 1), cell: (i) => (points.cost[i] === null ? "" : format(points.cost[i] / (points.elements[i] || 1)))});
  return new SortTable({label: "Samples", columns, rows: all, sortBy: columns.length - 1, text: (i) => points.shape[i]}).render();
}
// Wall times: every block as a dot, the quartiles as a bar, the median as a line; one lane per row and column of the table.
// Instructions per run stand beside them where they are known.

const LANE = 26;

function makeTimings(table) {
  const lanes = [];
  const several = (value) => new Set(table.rows.map(value)).size > 1, threads = several((row) => row.threads), envs = several((row) => row.env);
  for (const row of table.rows) {
    const name = [row.name, threads ? plural(row.threads, "thread") : "", envs ? row.env || "no env" : ""].filter(Boolean).join(", ");
    row.cells.forEach((cell, column) => { if (cell) lanes.push({row, name, column, cell, first: !lanes.length || lanes[lanes.length - 1].row !== row}); });
  }
  if (!lanes.length) return null;
  const counted = lanes.some((lane) => lane.cell.instructions !== undefined);
  const plot = new Plot({label: "wall times", height: (width) => timingHeight(lanes, width), draw: (width, height, self) => drawTimings(table, lanes, counted, width, height, self)});
  return el("section.card.timings", {}, el("h2", {}, "Wall time ", el("span.muted", {}, (table.label ? cutMiddle(table.label, 120) + ", " : "") + "seconds per run" + (counted ? ", with instruction counts" : ""))),
    table.columns.length > 1 ? seriesKey(table.columns.map((column, i) => [cutMiddle(column || "time", 80), i])) : null, plot.node, timingTable(table, lanes, counted), makeNotes(table.notes));
}

function timingHeight(lanes, width) { return 56 + lanes.length * LANE + lanes.filter((lane) => lane.first).length * (narrowLanes(width) ? 20 : 8); }

function narrowLanes(width) { return width < 620; }

function drawTimings(table, lanes, counted, width, height, plot) {
  const narrow = narrowLanes(width), names = narrow ? 8 : Math.min(300, width * 0.28), right = width - (counted && !narrow ? width * 0.26 : 14);
  const box = {left: names + 6, right: counted && !narrow ? right - 24 : right, top: 14, bottom: height - 40};
  const times = lanes.flatMap((lane) => [...lane.cell.times, lane.cell.median]).filter((time) => time > 0), [low, high] = rangeOf(times.length ? times : [1e-9]);
  const log = high / low > 20, x = makeScale(log ? "log" : "linear", log ? low / 1.1 : Math.max(0, low - (high - low) * 0.08), high + (high - low) * 0.08, box.left, box.right);
  const most = Math.max(1, ...lanes.map((lane) => lane.cell.instructions || 0));
  const nodes = [x.ticks.map((tick) => [svg("line.grid", {x1: x(tick), x2: x(tick), y1: box.top, y2: box.bottom}), svg("text.tick", {x: x(tick), y: box.bottom + 17, "text-anchor": "middle"}, formatSeconds(tick))]),
    svg("text.axis-title", {x: (box.left + box.right) / 2, y: box.bottom + 35, "text-anchor": "middle"}, log ? "time per run, logarithmic" : "time per run")];
  if (counted && !narrow) nodes.push(svg("text.axis-title", {x: right, y: box.bottom + 35}, "instructions per run"));
  let y = box.top;
  for (const lane of lanes) {
    if (lane.first) {
      y += narrow ? 20 : 8;
      const chars = Math.floor((narrow ? width - 16 : names) / 7);
      nodes.push(svg("text.lane-name", narrow ? {x: 8, y: y - 4} : {x: names, y: y + LANE / 2 + 4, "text-anchor": "end"}, cutMiddle(lane.name || "(no name)", chars), svg("title", {}, lane.name)));
    }
    nodes.push(drawLane(table, lane, x, y + LANE / 2, plot));
    if (counted && !narrow && lane.cell.instructions) nodes.push(svg("rect.mark-" + PLOT_COLORS[lane.column % 6], {x: right, y: y + 8, width: Math.max(1, (width - right - 70) * lane.cell.instructions / most), height: LANE - 16}),
      svg("text.tick", {x: right + (width - right - 70) * lane.cell.instructions / most + 6, y: y + LANE / 2 + 4}, formatCompact(lane.cell.instructions)));
    y += LANE;
  }
  return nodes;
}

function drawLane(table, lane, x, y, plot) {
  const {cell, column} = lane, name = PLOT_COLORS[column % PLOT_COLORS.length];
  const tip = () => [el("div.tip-name", {}, cutMiddle(lane.name + (table.columns[column] ? ": " + table.columns[column] : ""), 400)), el("div", {}, "median " + formatSeconds(cell.median) + ", quartiles " + formatSeconds(cell.p25) + " to " + formatSeconds(cell.p75)),
    el("div.where", {}, plural(cell.blocks, "block")), cell.instructions !== undefined ? el("div", {}, formatCount(Math.round(cell.instructions)) + " instructions per run") : null];
  plot.tips.push({x: x(cell.median), y, tip});
  return [svg("rect.box-" + name, {x: x(cell.p25), y: y - 8, width: Math.max(1, x(cell.p75) - x(cell.p25)), height: 16, rx: 2}),
    cell.times.map((time, i) => svg("circle.dot-" + name, {cx: x(time), cy: y + ((i * 7) % 11 - 5) * 1.1, r: 2})),
    svg("line.median", {x1: x(cell.median), x2: x(cell.median), y1: y - 10, y2: y + 10})];
}

function timingTable(table, lanes, counted) {
  const best = new Map();
  for (const lane of lanes) best.set(lane.row, Math.min(best.get(lane.row) || Infinity, lane.cell.median));
  const columns = [
    {title: "statement", value: (lane) => lanes.indexOf(lane), cell: (lane) => [el("div", {}, cutMiddle(lane.name || "(no name)", 120)), table.columns.length > 1 ? el("div.where", {}, cutMiddle(table.columns[lane.column] || "", 80)) : null]},
    {title: "median", numeric: true, value: (lane) => lane.cell.median, cell: (lane) => formatSeconds(lane.cell.median)},
    {title: "quartiles", numeric: true, room: "wide", value: (lane) => lane.cell.p75 - lane.cell.p25, cell: (lane) => formatSeconds(lane.cell.p25) + " – " + formatSeconds(lane.cell.p75)}];
  if (table.columns.length > 1) columns.push({title: "relative to the best", numeric: true, value: (lane) => lane.cell.median / best.get(lane.row), cell: (lane) => (lane.cell.median === best.get(lane.row) ? "best" : (lane.cell.median / best.get(lane.row)).toFixed(2) + "×")});
  if (counted) columns.push({title: "instructions", numeric: true, room: "wide", value: (lane) => lane.cell.instructions || 0, cell: (lane) => (lane.cell.instructions === undefined ? "" : formatCount(Math.round(lane.cell.instructions)))});
  return new SortTable({label: "Wall times", columns, rows: lanes, sortBy: 0, text: (lane) => lane.name}).render();
}
