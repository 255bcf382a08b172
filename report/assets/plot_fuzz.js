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
