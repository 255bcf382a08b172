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
