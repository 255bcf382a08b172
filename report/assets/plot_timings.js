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
