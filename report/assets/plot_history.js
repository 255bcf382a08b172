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
