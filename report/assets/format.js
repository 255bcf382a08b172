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
