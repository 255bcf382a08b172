// The causes of a change as a waterfall from base to head: each bar starts where the one above ended, so that one sees them add up.

function makeCauses(benchmark) {
  if (!benchmark.causes) return null;
  const {list, more, more_delta: moreDelta, rest, place} = benchmark.causes;
  if (!list.length) return el("section.card", {}, el("h3", {}, "Why"), el("p.muted", {}, benchmark.delta ? "No causes are known." : benchmark.functions ? "No change: every function costs the same as before." : "No change in total."));
  const step = (cause) => ({cause, delta: cause.delta});
  const smaller = (count, delta) => (count ? [{text: plural(count, "smaller cause") + ", net", delta, quiet: true}] : []);
  const all = [...list.map(step), ...smaller(more, moreDelta)];
  const first = [...list.slice(0, rest.first).map(step), ...rest.groups.map(step), ...smaller(rest.more, rest.more_delta)];
  const box = el("div.waterfall");
  const section = el("section.card.causes", {}, el("h3", {}, "Why ", el("span.muted", {}, "causes, which add up to the change")),
    place ? el("p.cause-place", {}, el("span.cause-delta" + toneClass(place.delta), {}, formatChange(place.delta)), " ", sentence(place.text)) : null, box);
  const render = (every) => replace(box, causeRows(benchmark, every ? all : first, box), every || list.length <= rest.first ? null
    : el("button.more", {type: "button", onclick: () => render(true)}, "Show " + plural(list.length - rest.first, "more cause")));
  render(list.length === rest.first + 1 && !rest.groups.length);
  return section;
}

/** One row per step and the sum; the figures of `box` get a column as wide as the longest. */
function causeRows(benchmark, steps, box) {
  let at = 0, low = 0, high = 0;
  for (const step of steps) {
    step.from = at;
    at += step.delta;
    [low, high] = [Math.min(low, at), Math.max(high, at)];
  }
  const place = (value) => (high > low ? 100 * (value - low) / (high - low) : 0);
  const rows = steps.map((step) => causeRow(step, benchmark, place));
  const widest = Math.max(...steps.map((step) => formatChange(step.delta).length), formatChange(at).length);
  box.style.setProperty("--delta-width", widest + 1 + "ch");
  return [rows, el("div.cause.total", {}, el("span.cause-delta" + toneClass(at), {}, formatChange(at)), el("span.cause-percent", {}, formatPercent(at, benchmark.base)),
    waterfallBar(0, at, place), el("span.cause-text", {}, "total"))];
}

function causeRow(step, benchmark, place) {
  const cause = step.cause;
  return el("div.cause" + (step.quiet ? ".quiet" : ""), {"data-delta": step.delta, "data-kind": cause ? cause.kind : "smaller"},
    el("span.cause-delta" + toneClass(step.delta), {}, formatChange(step.delta)),
    el("span.cause-percent", {}, formatPercent(step.delta, benchmark.base)),
    waterfallBar(step.from, step.from + step.delta, place),
    el("div.cause-text", {}, cause ? sentence(cause.text) : step.text, cause && cause.noise ? [" ", el("span.tag", {}, "within noise")] : null, cause && cause.inside ? insideOf(cause.inside) : null));
}

function waterfallBar(from, to, place) {
  const bar = el("span.fall", {"aria-hidden": "true"}), fill = el(to >= from ? "span.more-fill" : "span.less-fill"), start = el("span.fall-start");
  const [left, right] = [place(Math.min(from, to)), place(Math.max(from, to))];
  fill.style.left = Math.min(left, 99.4) + "%";
  fill.style.width = Math.max(0.6, right - left) + "%";
  start.style.left = place(from) + "%";
  bar.append(start);
  if (from !== to) bar.append(fill);
  return bar;
}

function insideOf({list, more, more_delta: moreDelta}) {
  return el("details.inside", {}, el("summary", {}, "made of " + plural(list.length + more, "part")),
    el("ul", {}, list.map((cause) => el("li", {}, el("span.cause-delta" + toneClass(cause.delta), {}, formatChange(cause.delta)), " ", el("span", {}, sentence(cause.text)))),
      more ? el("li.muted", {}, el("span.cause-delta", {}, formatChange(moreDelta)), " ", plural(more, "smaller one")) : null));
}
