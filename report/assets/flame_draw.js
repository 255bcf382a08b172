// Draws the visible part of a flame graph on a canvas: only frames wide enough to be seen, in the rows scrolled to.

const ROW = 19;
const FLAME_FONT = '11.5px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

class FlamePainter {
  constructor(canvas, tree) {
    Object.assign(this, {canvas, tree, context: canvas.getContext("2d")});
    this.context.font = FLAME_FONT;
    this.charWidth = this.context.measureText("abcdefghij").width / 10;
    this.hatches = new Map();
  }

  /** view: {layout, zoom, measure, search, selected, hovered, scrollTop, width, height}. */
  paint(view) {
    const {context, canvas} = this, ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(view.width * ratio) || canvas.height !== Math.round(view.height * ratio)) {
      canvas.width = Math.round(view.width * ratio);
      canvas.height = Math.round(view.height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.font = FLAME_FONT;
    context.textBaseline = "middle";
    const {tree} = this;
    for (const ancestor of tree.path(view.zoom).slice(0, -1)) this.frame(view, ancestor, 0, view.width, true);
    const scale = view.width / (view.layout.weight[view.zoom] || 1), origin = view.layout.left[view.zoom];
    for (let i = view.zoom; i < tree.end[view.zoom];) {
      const x = (view.layout.left[i] - origin) * scale, width = view.layout.weight[i] * scale;
      if (width < 0.35) { i = tree.end[i]; continue; }
      this.frame(view, i, x, width, false);
      i++;
    }
  }

  frame(view, i, x, width, outside) {
    const y = this.tree.depth[i] * ROW - view.scrollTop;
    if (y < -ROW || y > view.height) return;
    const {context} = this, tall = ROW - 1, wide = Math.max(0.5, width > 3 ? width - 1 : width);
    let color = this.color(view, i);
    const dim = outside || (view.search && !view.search.hit[i]);
    if (dim) color = mix(color, parseColor(colors.surface), outside ? 0.45 : 0.68);
    context.fillStyle = `rgb(${color.join(",")})`;
    context.fillRect(x, y, wide, tall);
    const status = this.tree.status(i), ink = inkOn(color);
    if (status !== "kept" && width > 2) {
      context.fillStyle = this.hatch(status, ink);
      context.fillRect(x, y, wide, tall);
    }
    this.outline(view, i, x, y, wide, tall);
    this.label(i, x, y, wide, status, dim && !outside ? colors.muted : ink);
  }

  outline(view, i, x, y, wide, tall) {
    const {context} = this, found = view.search && view.search.hit[i];
    const chosen = view.selected === i || view.hovered === i;
    if (!found && !chosen) return;
    context.strokeStyle = chosen ? colors.ink : colors.match;
    context.lineWidth = view.selected === i ? 2 : 1.25;
    context.strokeRect(x + 0.75, y + 0.75, Math.max(0.5, wide - 1.5), tall - 1.5);
  }

  label(i, x, y, wide, status, ink) {
    const room = Math.floor((Math.min(wide, 4000) - 7) / this.charWidth);
    if (room < 3) return;
    let text = (status === "new" ? "+ " : status === "vanished" ? "\u2212 " : "") + this.tree.shortName(i);
    if (text.length > room) text = text.slice(0, room - 1) + "…";
    this.context.fillStyle = ink;
    this.context.fillText(text, x + 4, y + ROW / 2);
  }

  color(view, i) {
    if (this.tree.compared) return divergingColor(this.tree.strength(i, view.measure));
    return i === 0 ? colors.neutral : plainColor(this.tree, i);
  }

  /** New frames are hatched upwards, vanished ones downwards. */
  hatch(status, ink) {
    const key = status + ink;
    if (this.hatches.has(key)) return this.hatches.get(key);
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const draw = tile.getContext("2d");
    draw.strokeStyle = ink;
    draw.globalAlpha = 0.22;
    draw.lineWidth = 1.4;
    draw.beginPath();
    for (const shift of [-8, 0, 8]) {
      draw.moveTo(shift - 1, status === "new" ? 9 : -1);
      draw.lineTo(shift + 9, status === "new" ? -1 : 9);
    }
    draw.stroke();
    const pattern = this.context.createPattern(tile, "repeat");
    this.hatches.set(key, pattern);
    return pattern;
  }
}

function mix(from, to, share) { return from.map((value, i) => Math.round(value + (to[i] - value) * share)); }

/** One result has no change to show: a quiet colour per library, so that one sees where one library calls another. */
function plainColor(tree, i) { return plainColorOf(tree.kind[i - 1] ? "" : names.objectOf(tree.id[i])); }

function plainColorOf(library) {
  let hash = 7;
  for (let at = 0; at < library.length; at++) hash = (hash * 31 + library.charCodeAt(at)) >>> 0;
  return mix(colors.neutral, hash % 2 ? colors.less : mix(colors.less, colors.more, 0.3), library ? 0.2 + (hash % 7) * 0.06 : 0);
}
