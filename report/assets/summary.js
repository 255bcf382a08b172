// The top of the page: what was compared, the verdict in one line, and what many benchmarks have in common.

function makeHeader(report) {
  const side = (name, side) => el("div.side", {}, el("span.side-name", {}, name), el("span.side-file", {title: side.command || ""}, cutMiddle(side.name, 160)));
  return el("header.top", {},
    el("div.brand", {}, el("span.mark", {"aria-hidden": "true"}, svgMark()), "icount"),
    el("div.heading", {},
      el("h1", {title: report.title}, cutMiddle(report.title, 200)),
      report.compares ? el("div.sides", {}, side("base", report.base), side("head", report.head)) : null),
    themeSwitch());
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

/** Tiles with the number of benchmarks per verdict; pressing one filters the list. */
function makeTiles(report, onfilter) {
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

/** One bar per compared benchmark, from the largest increase to the largest decrease, on a root scale so that small ones are seen. */
function makeSkyline(report, onpick) {
  const compared = report.benchmarks.filter((b) => b.compared).sort((a, b) => b.ratio - a.ratio || a.index - b.index);
  if (compared.length < 3 || compared.every((b) => !b.delta)) return null;
  const height = 96, size = (b) => Math.sqrt(Math.min(10, Math.abs(b.ratio)));
  const up = Math.max(0, ...compared.filter((b) => b.delta > 0).map(size)), down = Math.max(0, ...compared.filter((b) => b.delta < 0).map(size));
  const zero = 2 + (height - 4) * up / (up + down), unit = (height - 4) / (up + down);
  const step = 1000 / compared.length, gap = Math.min(2, step * 0.2);
  const bars = compared.map((b, i) => {
    const h = b.delta ? Math.max(1.5, size(b) * unit) : 1;
    const bar = svg("rect." + (b.delta > 0 ? "more-svg" : b.delta < 0 ? "less-svg" : "zero-svg"), {x: i * step + gap / 2, width: Math.max(0.3, step - gap), y: b.delta > 0 ? zero - h : zero, height: h});
    const hit = svg("rect.hit", {x: i * step, width: step, y: 0, height}, svg("title", {}, b.key + ": " + formatPercent(b.delta, b.base)));
    hit.addEventListener("click", () => onpick(b));
    return [bar, hit];
  });
  const chart = svg("svg.skyline", {viewBox: "0 0 1000 " + height, preserveAspectRatio: "none", role: "img", "aria-label": "change of every benchmark, from the largest increase to the largest decrease"},
    svg("line.axis", {x1: 0, x2: 1000, y1: zero, y2: zero}), bars);
  const largest = compared[0].delta > 0 ? compared[0] : null, smallest = compared[compared.length - 1].delta < 0 ? compared[compared.length - 1] : null;
  const end = (b) => b && el("button.link", {type: "button", onclick: () => onpick(b)}, el("span" + toneClass(b.delta), {}, formatPercent(b.delta, b.base)), " ", cutMiddle(b.key, 70));
  const title = el("div.skyline-title", {}, "change of each of " + plural(compared.length, "benchmark") + ", in % from the largest increase to the largest decrease; heights on a root scale");
  return el("figure.skyline-box", {}, title, chart, el("figcaption", {}, el("span", {}, end(largest)), el("span.right", {}, end(smallest))));
}

function makeSharedCauses(report) {
  // What another cause takes back (a call that only changed its name) explains nothing.
  const causes = report.shared.filter((cause) => cause.share >= 0.02).slice(0, 5), changed = report.benchmarks.filter((b) => b.compared && b.delta);
  if (!causes.length) return null;
  return el("section.card", {}, el("h2", {}, "What they have in common ", el("span.muted", {}, "causes that occur in several of the " + plural(changed.length, "changed benchmark"))),
    el("ul.shared", {}, causes.map((cause) => el("li", {},
      el("span.reach", {}, "in " + formatCount(cause.benchmarks) + " of " + formatCount(changed.length), shareBar(cause, changed.length)),
      el("div", {}, el("div", {}, sentence(cause.subject)), el("div.effect", {}, effectOf(cause, changed[0].event)))))));
}

/** What a shared cause comes to, each number with what it counts. */
function effectOf(cause, event) {
  const among = cause.explains === cause.benchmarks ? "each of them" : formatCount(cause.explains) + " of them";
  const main = cause.explains ? "at least half of the change in " + among : "less than half of the change in each of them";
  const beyond = cause.opposes ? ", minus its part where a benchmark's change has the opposite sign" : cause.share > 1 ? "; other causes cancel what exceeds 100 %" : "";
  const share = el("span", {title: "its contribution in the direction of each benchmark's change, divided by the sum of the sizes of all changes"}, formatShare(cause.share) + " of all changes" + beyond);
  return [main + " · ", el("span" + toneClass(cause.delta), {}, formatChange(cause.delta) + " " + event), " over all of them · ", share];
}

function shareBar(cause, changed) {
  const bar = el("span.share-bar"), fill = el(cause.delta > 0 ? "span.more-fill" : "span.less-fill");
  fill.style.width = Math.max(2, Math.min(100, 100 * cause.benchmarks / changed)) + "%";
  bar.append(fill);
  return bar;
}

function makeNotes(notes) {
  if (!notes || !notes.length) return null;
  return el("ul.notes", {}, notes.map((note) => el(note.startsWith("NOT MEASURED ALIKE") ? "li.warning" : "li", {}, sentence(note))));
}
