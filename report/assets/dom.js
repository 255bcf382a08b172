// Elements are made here and nowhere else: text enters the page as text nodes only, so no name can become markup.

const SVG = "http://www.w3.org/2000/svg";

/** el("p.note", {title: "..."}, child, "text", ...): properties with "on" in front are listeners; null children are left out. */
function el(tag, properties, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name || "div");
  if (classes.length) node.className = classes.join(" ");
  return fill(node, properties, children);
}

/** The same for SVG; properties are attributes. */
function svg(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElementNS(SVG, name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  append(node, children);
  return node;
}

function fill(node, properties, children) {
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.includes("-") || key === "role") node.setAttribute(key, value);
    else node[key] = value;
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
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

/** Keys of a list of which Tab reaches one entry: arrows, Home and End move, Enter and the space bar choose. */
function rove(event, entries, at, choose) {
  const to = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1}[event.key];
  if (to === undefined && event.key !== "Enter" && event.key !== " ") return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (to === undefined) return choose();
  const next = entries[Math.max(0, Math.min(entries.length - 1, to))];
  entries[at].setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}
