// Numbers as people read them. Counts are whole; above 2^53 the browser rounds them, and that is said with "≈".

const groups = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});
const MINUS = "\u2212";

function plainMinus(text) { return text.replace("-", MINUS); }

function formatCount(value) {
  if (value === null || value === undefined) return "";
  return (Number.isSafeInteger(value) || !Number.isInteger(value) ? "" : "≈") + plainMinus(groups.format(value));
}

function formatChange(value) {
  if (value === 0) return "0";
  return (value > 0 ? "+" : "") + formatCount(value);
}

/** Change as a share of base: "+4.81 %", "new" when base is 0. */
function formatPercent(change, base) {
  if (change === 0) return "0 %";
  if (!base) return "new";
  return formatShare(change / base, true);
}

/** 0.0481 -> "4.81 %"; three figures, but never a plain 0 for what is not. */
function formatShare(share, signed) {
  const percent = share * 100, size = Math.abs(percent);
  const sign = percent < 0 ? MINUS : signed && percent > 0 ? "+" : "";
  if (size === 0) return "0 %";
  if (size < 0.001) return sign + "<0.001 %";
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3;
  return sign + size.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, digits ? "" : ",") + " %";
}

/** 1234567 -> "1.23 M": for axes and other narrow places. */
function formatCompact(value) {
  const size = Math.abs(value), sign = value < 0 ? MINUS : "";
  for (const [unit, name] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]])
    if (size >= unit * 0.99995) return sign + trimZeros((size / unit).toPrecision(3)) + name;
  return sign + (size === 0 ? "0" : size >= 0.01 ? trimZeros(size.toPrecision(3)) : size.toExponential(1));
}

function trimZeros(text) { return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text; }

/** Seconds with a fitting unit: "1.24 µs". */
function formatSeconds(seconds) {
  const size = Math.abs(seconds);
  if (size === 0) return "0 s";
  for (const [unit, name] of [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]])
    if (size >= unit * 0.9995) return plainMinus((seconds / unit).toPrecision(3).replace(/e\+?.*/, (e) => e)) + " " + name;
  return plainMinus((seconds / 1e-9).toPrecision(3)) + " ns";
}

function plural(count, one, many) { return formatCount(count) + " " + (count === 1 ? one : many || one + "s"); }
// Elements are made here and nowhere else: text enters the page as text nodes only, so no name can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** el("p.note", {title: "..."}, child, "text", ...): properties with "on" in front are listeners; null children are left out. */
function el(tag, properties, ...children) {
  const {name, classes} = partsOf(tag), node = document.createElement(name || "div");
  if (classes) node.className = classes;
  return fill(node, properties, children);
}

const knownTags = new Map();

/** "span.tag.note" is a span of the classes "tag note". */
function partsOf(tag) {
  if (!knownTags.has(tag)) {
    const [name, ...classes] = tag.split(".");
    knownTags.set(tag, {name, classes: classes.join(" ")});
  }
  return knownTags.get(tag);
}

/** The same for SVG; properties are attributes. */
function svg(tag, attributes, ...children) {
  const {name, classes} = partsOf(tag), node = document.createElementNS(SVG, name);
  if (classes) node.setAttribute("class", classes);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  append(node, children);
  return node;
}

function fill(node, properties, children) {
  for (const key in properties) {
    const value = properties[key];
    if (value === null || value === undefined) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.includes("-") || key === "role") node.setAttribute(key, value);
    else node[key] = value;
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
}

let uniqueIds = 0;
function uniqueId(prefix) { return prefix + "-" + ++uniqueIds; }

/** A row of exclusive choices; `choices` are [value, label, hint]. */
function segmented(label, choices, chosen, onchoose) {
  const buttons = choices.map(([value, text, hint]) => el("button.segment", {
    type: "button", title: hint || "", "aria-pressed": String(value === chosen), "data-value": String(value),
    onclick: () => { choose(value); onchoose(value); },
  }, text));
  function choose(value) { for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === String(value))); }
  const group = el("div.segmented", {role: "group", "aria-label": label}, buttons);
  group.choose = choose;
  return group;
}

/** Keys of a list of which Tab reaches one entry: arrows, Home and End move, Enter and the space bar choose. Returns the entry that is reached now, where it is another. */
function rove(event, entries, at, choose) {
  const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1}[event.key];
  if (to === undefined && event.key !== "Enter" && event.key !== " ") return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (to === undefined) return void choose();
  const next = entries[Math.max(0, Math.min(entries.length - 1, to))];
  entries[at].setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
  return next;
}
