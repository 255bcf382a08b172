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
