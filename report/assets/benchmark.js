// One benchmark: the figures, why they changed, where, and how it was measured.

/** `view`: {start, onchange} of the flame graph: what it shows at first, by name, and who is told what it shows. Why it changed is there at once, `rest()` adds what takes longer. */
function makeBenchmark(report, benchmark, view) {
  const node = el("article.benchmark-view", {}, benchmarkHead(report, benchmark), makeNotes(benchmark.notes), benchmark.reason ? el("p.reason", {}, benchmark.reason) : null,
    makeCauses(benchmark), makeYourHunks(benchmark), makeInside(benchmark), makeHistory(report, benchmark));
  const rest = () => {
    const flame = benchmark.flame && benchmark.flame.id.length ? new FlameView(benchmark, view) : null;
    const find = (name) => {
      flame.find(exactly(name));
      flame.nextMatch(1);
      flame.node.scrollIntoView({block: "center"});
    };
    append(node, [flame && flame.node, makeTables(benchmark, flame && find), makeTask(benchmark), makeCircumstances(report, factsOf(report, benchmark), "How it was measured")]);
  };
  return {node, rest};
}

function benchmarkHead(report, b) {
  const {word, tone} = VERDICTS[b.verdict];
  const alone = report.benchmarks.length === 1 && b.key === report.head.name;  // named after its file, which the top says already
  return el("div.benchmark-head", {},
    el("div", {}, b.path ? el("div.path", {title: b.path}, cutMiddle(b.path, 200)) : null, el("h2", {title: b.key}, alone ? "Total" : cutMiddle(b.name, 160)), el("span.chip.tone-" + tone, {}, word)),
    el("div.figures", {}, b.compared ? comparedFigures(b) : b.total ? figure("", formatCount(b.total), b.event) : null));
}

function figure(name, value, unit, className) {
  return el("div.big" + (className || ""), {}, el("span.big-name", {}, name), el("span.big-value", {}, value), unit ? el("span.big-unit", {}, unit) : null);
}

function comparedFigures(b) {
  return [figure("base", formatCount(b.base), b.event), el("span.arrow", {"aria-hidden": "true"}, "→"), figure("head", formatCount(b.head), b.event),
    figure("change", formatChange(b.delta), b.delta ? formatPercent(b.delta, b.base) : "no change", b.delta > 0 ? ".more-ink" : b.delta < 0 ? ".less-ink" : "")];
}

function makeTask(b) {
  const task = b.task;
  if (!task) return null;
  const facts = [];
  const add = (name, value) => { if (value !== undefined && value !== null && value !== "") facts.push([name, value]); };
  add("statement", task.stmt && el("pre", {}, task.stmt));
  add("setup", task.setup && el("pre", {}, task.setup));
  add("program", task.program && el("pre", {}, task.program.join(" ")));
  if (!facts.length && !task.details) return null;
  add("language", task.language);
  add("threads", String(task.threads));
  add("runs per count", formatCount(task.runs));
  if (task.slope !== undefined) add("marginal cost of one more run", formatCount(task.slope));
  if (task.fixed !== undefined) add("cost that does not grow with runs", formatCount(task.fixed));
  add("spread over " + plural(task.repeats, "repeat"), task.repeats > 1 ? formatCount(task.spread) : "");
  add("details", task.details && el("pre", {}, task.details));
  return el("details.card", {}, el("summary", {}, el("h3", {}, "What was measured")), el("dl.task", {}, facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
}
