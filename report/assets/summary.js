// The top of the page: what was compared, the verdict in one line, and what many benchmarks have in common.

function makeHeader(report) {
  const side = (name, side) => el("div.side", {}, el("span.side-name", {}, name), el("span.side-file", {title: side.command || ""}, cutMiddle(side.name, 160)));
  return el("header.top", {},
    el("div.brand", {}, el("span.mark", {"aria-hidden": "true"}, svgMark()), "icount"),
    el("div.heading", {},
      el("h1", {title: report.title}, cutMiddle(report.title, 200)),
      report.compares ? el("div.sides", {}, side("base", report.base), side("head", report.head)) : null,
      report.built ? el("div.sides", {}, side("built", {name: report.built})) : null,
      report.common.length ? el("ul.conditions", {}, report.common.map((note) => el("li", {}, sentence(note)))) : null),
    themeSwitch());
}

const GATE_WORDS = {refusal: "refused", "cannot-judge": "cannot judge"};

/** What a gate said: its verdict, then what was refused or gained as it wrote it; each leads to its benchmark. */
function makeGate(report, onpick) {
  const {gate} = report;
  if (!gate) return null;
  const standsOpen = (finding) => finding.severity !== "note" || finding.kind === "improved";
  const grave = gate.findings.filter(standsOpen), notes = gate.findings.filter((finding) => !standsOpen(finding));
  const line = (finding) => {
    const benchmark = report.benchmarks.find((b) => b.key === finding.benchmark);
    return el("li", {}, el("span.tag", {}, finding.kind), " ", benchmark ? el("button.link", {type: "button", title: finding.benchmark, onclick: () => onpick(benchmark)}, cutMiddle(finding.benchmark, 120)) : cutMiddle(finding.benchmark || "", 120),
      finding.benchmark ? ": " : "", sentence(finding.text));
  };
  const list = (findings) => el("ul.findings", {}, findings.map(line));
  const accepted = (gate.accepted || []).map((one) => el("li", {}, el("span.tag", {}, "accepted"), " ", cutMiddle(one.benchmark, 120), ": ",
    one.event + " " + (one.before ? formatCount(one.before) + " → " : "new, ") + formatCount(one.now), one.why ? " (" + one.why + ")" : null));
  return el("section.card.gate", {}, el("h2", {}, "Gate: ", el("span.chip.tone-" + (gate.verdict === "passed" ? "less" : "more"), {}, GATE_WORDS[gate.verdict] || gate.verdict),
    el("span.muted", {}, " " + plural(gate.compared, "benchmark") + " judged" + (gate.against ? " against " + gate.against : ""))),
    accepted.length ? el("ul.findings", {}, accepted) : null, list(grave.slice(0, 8)), grave.length > 8 ? el("details", {}, el("summary", {}, plural(grave.length - 8, "more finding")), list(grave.slice(8))) : null,
    notes.length ? el("details", {}, el("summary", {}, plural(notes.length, "note")), list(notes)) : null);
}

/** How many cost more and less with the largest change of each, absolute and relative; then the three worst regressions. */
function makeVerdict(report, onpick) {
  const compared = report.benchmarks.filter((b) => b.compared && b.delta);
  if (!compared.length) return null;
  const link = (b) => el("button.link", {type: "button", title: b.key, onclick: () => onpick(b)}, cutMiddle(b.path ? b.path + " / " + b.name : b.name, 90));
  const largest = (list, size) => list.reduce((best, b) => (!best || size(b) > size(best) ? b : best), null);
  const direction = (list, one, many) => {
    if (!list.length) return null;
    const most = largest(list, (b) => Math.abs(b.delta)), relative = largest(list.filter((b) => b.base), (b) => Math.abs(b.ratio));
    const absolute = [el("b" + toneClass(most.delta), {}, formatChange(most.delta)), " " + (most.event || "")], share = (b) => el("b" + toneClass(b.delta), {}, formatPercent(b.delta, b.base));
    const figures = !relative || relative === most ? [absolute, ", ", share(most), " (", link(most), ")"] : [absolute, " (", link(most), ") and ", share(relative), " (", link(relative), ")"];
    return el("p", {}, el("b", {}, formatCount(list.length) + " " + (list.length === 1 ? one : many)), list.length === 1 ? ": " : ": at most ", figures);
  };
  const more = compared.filter((b) => b.delta > 0), less = compared.filter((b) => b.delta < 0);
  const worst = more.filter((b) => b.base).sort((a, b) => b.ratio - a.ratio || a.index - b.index).slice(0, 3);
  return el("section.card.verdict", {}, direction(more, "costs more", "cost more"), direction(less, "costs less", "cost less"),
    more.length > 3 ? el("p", {}, "Worst regressions by share: ", worst.map((b, i) => [i ? ", " : "", link(b), " ", el("span" + toneClass(b.delta), {}, formatPercent(b.delta, b.base))])) : null);
}

function svgMark() {
  return svg("svg", {viewBox: "0 0 20 20", width: 20, height: 20}, svg("rect.mark-less", {x: 2, y: 11, width: 4, height: 7, rx: 1}),
    svg("rect.mark-ink", {x: 8, y: 6, width: 4, height: 12, rx: 1}), svg("rect.mark-more", {x: 14, y: 2, width: 4, height: 16, rx: 1}));
}

function countVerdicts(benchmarks) {
  const counts = {};
  for (const benchmark of benchmarks) counts[benchmark.verdict] = (counts[benchmark.verdict] || 0) + 1;
  return counts;
}

/** Fewer benchmarks than this are seen in the list at once. */
const FEW = 8;

/** Tiles with the number of benchmarks per verdict; pressing one filters the list. */
function makeTiles(report, onfilter) {
  if (report.benchmarks.length < FEW) return null;
  const counts = countVerdicts(report.benchmarks);
  const tiles = Object.entries(VERDICTS).filter(([verdict]) => counts[verdict]).map(([verdict, {word, many, tone}]) =>
    el("button.tile.tone-" + tone, {type: "button", "aria-pressed": "false", "data-verdict": verdict, onclick: (event) => press(event.currentTarget, verdict)},
      el("span.tile-number", {}, formatCount(counts[verdict])), el("span.tile-word", {}, counts[verdict] > 1 && many || word)));
  function press(tile, verdict) {
    const pressed = tile.getAttribute("aria-pressed") === "true";
    for (const other of tiles) other.setAttribute("aria-pressed", "false");
    tile.setAttribute("aria-pressed", String(!pressed));
    onfilter(pressed ? null : verdict);
  }
  return el("div.tiles", {}, tiles);
}

const ORDERS = [["share", "%", "by the change as a share of base"], ["count", "absolute", "by the change in instructions"]];

/** One bar per compared benchmark, from the largest increase to the largest decrease, on a root scale so that small ones are seen. */
function makeSkyline(report, onpick) {
  const compared = report.benchmarks.filter((b) => b.compared);
  if (compared.length < FEW || compared.every((b) => !b.delta)) return null;
  const chart = el("div"), caption = el("figcaption"), title = el("span");
  const show = (order) => {
    const value = (b) => (order === "share" ? b.ratio : b.delta), text = (b) => (order === "share" ? formatPercent(b.delta, b.base) : formatChange(b.delta));
    const sorted = [...compared].sort((a, b) => value(b) - value(a) || a.index - b.index);
    const end = (b) => b && el("button.link", {type: "button", title: b.key, onclick: () => onpick(b)}, el("span" + toneClass(b.delta), {}, text(b)), " ", cutMiddle(b.key, 70));
    const last = sorted[sorted.length - 1];
    replace(chart, drawSkyline(sorted, order === "share" ? (b) => Math.min(10, Math.abs(b.ratio)) : (b) => Math.abs(b.delta), text, onpick));
    replace(caption, el("span", {}, end(sorted[0].delta > 0 ? sorted[0] : null)), el("span.right", {}, end(last.delta < 0 ? last : null)));
    replace(title, "change of each of " + plural(compared.length, "benchmark") + ", " + (order === "share" ? "in %" : "in " + (compared[0].event || "events")) + " from the largest increase to the largest decrease; heights on a root scale");
  };
  show("share");
  return el("figure.skyline-box", {}, el("div.skyline-title", {}, title, " ", segmented("Order", ORDERS, "share", show)), chart, caption);
}

/** The bars as buttons: Tab reaches one, the arrow keys the others, Enter shows the benchmark. */
function drawSkyline(sorted, size, text, onpick) {
  const height = 96, root = (b) => Math.sqrt(size(b));
  const up = Math.max(0, ...sorted.filter((b) => b.delta > 0).map(root)), down = Math.max(0, ...sorted.filter((b) => b.delta < 0).map(root));
  const zero = 2 + (height - 4) * up / (up + down), unit = (height - 4) / (up + down), step = 1000 / sorted.length, gap = Math.min(2, step * 0.2);
  // Thousands of bars are three outlines; what is pointed at and read out lies above them.
  const outlines = {"more-svg": "", "less-svg": "", "zero-svg": ""}, round = (value) => Number(value.toFixed(3)), wide = round(Math.max(0.3, step - gap));
  const hits = sorted.map((b, i) => {
    const h = b.delta ? Math.max(1.5, root(b) * unit) : 1;
    outlines[b.delta > 0 ? "more-svg" : b.delta < 0 ? "less-svg" : "zero-svg"] += `M${round(i * step + gap / 2)} ${round(b.delta > 0 ? zero - h : zero)}h${wide}v${round(h)}h${-wide}z`;
    return svg("rect.hit", {x: round(i * step), width: round(step), y: 0, height, tabindex: i ? -1 : 0, role: "button", "aria-label": b.key + ": " + text(b)});
  });
  const chart = svg("svg.skyline", {viewBox: "0 0 1000 " + height, preserveAspectRatio: "none", role: "group", "aria-label": "change of every benchmark, from the largest increase to the largest decrease"},
    svg("line.axis", {x1: 0, x2: 1000, y1: zero, y2: zero}), Object.entries(outlines).map(([name, d]) => d && svg("path." + name, {d})), hits);
  const places = new Map(hits.map((hit, i) => [hit, i])), placeOf = (event) => places.get(event.target);
  const on = (event, does) => chart.addEventListener(event, (happened) => { const i = placeOf(happened); if (i !== undefined) does(i, happened); });
  on("click", (i) => onpick(sorted[i]));
  on("keydown", (i, event) => rove(event, hits, i, () => onpick(sorted[i], true)));
  on("mouseover", (i) => { if (!hits[i].firstChild) hits[i].append(svg("title", {}, hits[i].getAttribute("aria-label"))); });
  return chart;
}

function makeSharedCauses(report) {
  const changed = report.benchmarks.filter((b) => b.compared && b.delta);
  if (!report.shared.length) return null;
  return el("section.card", {}, el("h2", {}, "What they have in common ", el("span.muted", {}, "causes that several of the " + plural(changed.length, "changed benchmark") + " share")),
    el("ul.shared", {}, report.shared.map((cause) => el("li", {}, shareBar(cause, changed.length), el("div", {}, el("div", {}, sentence(cause.subject)), el("div.effect", {}, sentence(cause.effect)))))));
}

function shareBar(cause, changed) {
  const bar = el("span.share-bar", {"aria-hidden": "true"}), fill = el(cause.delta > 0 ? "span.more-fill" : "span.less-fill");
  fill.style.width = Math.max(2, Math.min(100, 100 * cause.benchmarks / changed)) + "%";
  bar.append(fill);
  return bar;
}

function makeNotes(notes) {
  if (!notes || !notes.length) return null;
  return el("ul.notes", {}, notes.map((note) => el(note.startsWith("NOT MEASURED ALIKE") ? "li.warning" : "li", {}, sentence(note))));
}
