// Light, dark or same as the system; and the colours that drawings need, read from the style sheet.

let themeListeners = [];

/** `listener` is told of a new theme as long as `node` is on the page. */
function onTheme(node, listener) { themeListeners.push({node, listener}); }

function currentTheme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  colors = readColors();
  themeListeners = themeListeners.filter(({node}) => node.isConnected);
  for (const {listener} of themeListeners) listener();
}

function readColors() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue("--" + name).trim();
  return {
    ink: color("ink"), muted: color("muted"), line: color("line"), surface: color("surface"), accent: color("accent"),
    more: parseColor(color("frame-more")), less: parseColor(color("frame-less")), neutral: parseColor(color("frame-neutral")), match: color("match"),
  };
}

function parseColor(hex) { return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)); }

let colors = null;

/** -1 (costs less) ... 0 ... 1 (costs more) on the palette that is told apart without red and green; [r, g, b]. */
function divergingColor(strength) {
  const end = strength < 0 ? colors.less : colors.more, t = Math.min(1, Math.abs(strength));
  return colors.neutral.map((from, i) => Math.round(from + (end[i] - from) * t));
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((v) => { const c = v / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white, whichever reads better on the colour. */
function inkOn(rgb) { return luminance(rgb) > 0.179 ? "#000000" : "#ffffff"; }

function themeSwitch() {
  const control = segmented("Theme", [["auto", "Auto", "same as the system"], ["light", "Light"], ["dark", "Dark"]], "auto", setTheme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (!document.documentElement.dataset.theme) setTheme("auto"); });
  return control;
}
// Names of functions: short where there is little room, full in the tooltip and wherever they are searched.

/** Asked by everything that shows names; filled once from the report. */
const names = {
  shortOf: new Map(),
  fill(report) {
    const strings = report.strings.all;
    for (const [number, short] of Object.entries(report.strings.short)) this.shortOf.set(strings[number], short);
    this.strings = strings;
    this.functions = report.functions;
  },
  short(name) { return cutMiddle(this.shortOf.get(name) || name, 120); },
  string(number) { return this.strings[number]; },
  nameOf(id) { return this.strings[this.functions.name[id]]; },
  fileOf(id) { return this.strings[this.functions.file[id]]; },
  objectOf(id) { return this.strings[this.functions.object[id]]; },
};

function cutMiddle(text, most) {
  if (text.length <= most) return text;
  const half = Math.floor((most - 3) / 2);
  return text.slice(0, half) + " … " + text.slice(text.length - half);
}

function baseName(path) { return path.slice(path.lastIndexOf("/") + 1); }

function nameNode(name) { return el("code.name", {title: cutMiddle(name, 1500)}, names.short(name)); }

/** A sentence of icount's: what stands between backticks is a name; in the rest, minus signs and arrows are those of all other texts here. */
function sentence(text) {
  return text.split("`").map((piece, i) => (i % 2 ? nameNode(piece) : piece.replace(/(^|[\s(])-(?=\d)/g, "$1" + MINUS).replaceAll(" -> ", " → ")));
}
