// The data inside the page: unpacked, made harmless to look at, and given names to ask it by.

/** Control, invisible and bidirectional characters as visible escapes, so that no name can reorder or hide text. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

function visible(text) { return text.replace(INVISIBLE, (c) => "\\u{" + c.charCodeAt(0).toString(16) + "}"); }

/** Whether a JSON text may have such characters in its strings, as they are or escaped: most reports have none, and need no look at every string. */
function mayHaveInvisible(json) { return json.search(INVISIBLE) >= 0 || /\\(?:[bfr]|u(?!003c|003e|0026))/.test(json); }  // "<", ">" and "&" are escaped in every report

function makeVisible(value) {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) {
    if (typeof value[0] !== "number" || value.some((entry) => typeof entry !== "number")) for (let i = 0; i < value.length; i++) value[i] = makeVisible(value[i]);
  } else if (value !== null && typeof value === "object") {
    for (const key of Object.keys(value)) value[key] = makeVisible(value[key]);
  }
  return value;
}

async function readText(element) {
  const text = element.textContent;
  if (element.dataset.form !== "deflate") return text;
  if (typeof DecompressionStream === "undefined") throw new Error("this browser cannot unpack the report's data; any of 2023 or later can (DecompressionStream)");
  const characters = atob(text.trim()), packed = new Uint8Array(characters.length);
  for (let i = 0; i < packed.length; i++) packed[i] = characters.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

async function loadReport() {
  const text = await readText(document.getElementById("data"));
  const report = mayHaveInvisible(text) ? makeVisible(JSON.parse(text)) : JSON.parse(text);
  if (report.schema.name !== "icount-report" || report.schema.version !== 1) throw new Error("this is data of another version of the report");
  report.compares = report.base.name !== "";
  report.benchmarks.forEach((benchmark, index) => prepareBenchmark(benchmark, index));
  nameBenchmarks(report.benchmarks);
  report.common = takeCommonNotes(report.benchmarks.filter((b) => b.compared));
  return report;
}

function prepareBenchmark(benchmark, index) {
  benchmark.index = index;
  benchmark.compared = benchmark.base !== undefined && benchmark.head !== undefined;
  benchmark.delta = benchmark.compared ? benchmark.head - benchmark.base : 0;
  benchmark.ratio = benchmark.compared && benchmark.base ? benchmark.delta / benchmark.base : benchmark.delta ? Infinity : 0;
  benchmark.total = Math.max(benchmark.base || 0, benchmark.head || 0);
}

/** Notes that every compared benchmark has (another LibTorch, say) belong to the report: taken out of each. */
function takeCommonNotes(compared) {
  if (compared.length < 2) return [];
  const common = (compared[0].notes || []).filter((note) => compared.every((b) => (b.notes || []).includes(note)));
  for (const b of compared) b.notes = (b.notes || []).filter((note) => !common.includes(note));
  return common;
}

/** path and name of each: the label's last part names it, but for a part that all have in common ("C++"). */
function nameBenchmarks(benchmarks) {
  const labels = benchmarks.map((b) => b.label || []), tail = labels[0] && labels[0][labels[0].length - 1];
  const shared = benchmarks.length > 1 && labels.every((label) => label.length > 2 && label[label.length - 1] === tail);
  for (const b of benchmarks) {
    const parts = shared ? b.label.slice(0, -1) : b.label && b.label.length > 1 ? b.label : [b.key];
    b.path = parts.slice(0, -1).join(" / ");
    b.name = parts[parts.length - 1] + (parts.length > 1 && b.task && b.task.threads > 1 ? " [" + plural(b.task.threads, "thread") + "]" : "");
  }
}

/** Both sides of row i of a column {base, delta}. */
function baseOf(column, i) { return column.base[i]; }
function headOf(column, i) { return column.base[i] + column.delta[i]; }

const VERDICTS = {
  more: {word: "costs more", many: "cost more", tone: "more"}, less: {word: "costs less", many: "cost less", tone: "less"}, noise: {word: "within noise", tone: "quiet"},
  same: {word: "unchanged", tone: "quiet"}, measured: {word: "measured", tone: "quiet"}, new: {word: "new", tone: "note"},
  vanished: {word: "vanished", tone: "note"}, failed: {word: "failed", tone: "bad"}, "not-alike": {word: "measured under different conditions", tone: "bad"},
};
