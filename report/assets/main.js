// Puts the page together and keeps the address in step with what is shown, so that a link leads to it.

function showError(error) {
  const app = document.getElementById("app");
  replace(app, el("main.page", {}, el("h1", {}, "This report cannot be shown"), el("p", {}, String(error.message || error))));
  throw error;
}

/** The address behind "#": a benchmark's key, then what its flame graph shows: "#KEY&zoom=12&find=malloc&width=head". */
function readAddress() {
  const [key, ...rest] = location.hash.slice(1).split("&"), plain = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  return {key: plain(key), view: Object.fromEntries(rest.map((part) => part.split("=")).map(([name, value]) => [name, plain(value || "")]))};
}

function writeAddress(benchmark, view) {
  const parts = Object.entries(view || {}).map(([name, value]) => name + "=" + encodeURIComponent(value));
  history.replaceState(null, "", "#" + [encodeURIComponent(benchmark.key), ...parts].join("&"));
}

function makePage(report) {
  const detail = el("div.detail", {tabIndex: -1, role: "region", "aria-label": "Benchmark"});
  const many = report.benchmarks.length > 1;
  const show = (benchmark, view) => {
    const {node, rest} = makeBenchmark(report, benchmark, {start: view || {}, onchange: (changed) => writeAddress(benchmark, changed)});
    replace(detail, node);
    if (list) list.choose(benchmark);
    return rest;
  };
  const pick = (benchmark, byKey) => {
    writeAddress(benchmark);
    show(benchmark)();
    if (byKey === true) detail.focus({preventScroll: true});
    if (many && detail.getBoundingClientRect().top < 0) detail.scrollIntoView({block: "start"});
  };
  const list = many ? new BenchmarkList(report, pick) : null;
  const overview = many || report.gate ? el("section.overview", {}, makeGate(report, pick), many ? [makeVerdict(report, pick), makeTiles(report, (verdict) => list.setVerdict(verdict)), makeSkyline(report, pick), makeSharedCauses(report)] : null) : null;
  const body = report.benchmarks.length ? el("div.body" + (many ? ".with-list" : ""), {}, list && list.node, detail) : null;
  const skip = many ? el("button.skip", {type: "button", onclick: () => { detail.focus(); detail.scrollIntoView({block: "start"}); }}, "Skip to the benchmark") : null;
  replace(document.getElementById("app"), skip, makeHeader(report), el("main.page", {}, makeNotes(report.notes), overview, body, makePlots(report), emptyNote(report)), makeFooter(report));
  const showAddress = () => {
    const {key, view} = readAddress();
    return show(report.benchmarks.find((b) => b.key === key) || report.benchmarks[0], view);
  };
  addEventListener("hashchange", () => { if (body) showAddress()(); });
  return body ? showAddress() : () => {};
}

/** After what is there has been painted; without a wait where nothing is (in a tab behind others). */
function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 200);
  });
}

function makePlots(report) {
  const plots = [...report.timings.map(makeTimings), ...report.growths.map(makeGrowth), ...report.fuzz.map(makeFuzz)].filter(Boolean);
  return plots.length ? el("div.plots", {}, plots) : null;
}

function emptyNote(report) {
  if (report.benchmarks.length || report.fuzz.length || report.timings.length) return null;
  return el("p.empty-report", {}, "This result is empty: no benchmark was measured.");
}

function makeFooter(report) {
  return el("footer.foot", {}, el("span", {}, "Made by icount " + report.icount), el("code", {}, cutMiddle(report.command, 600)));
}

loadReport().then(async (report) => {
  colors = readColors();
  names.fill(report);
  const rest = makePage(report);
  await painted();
  rest();
  document.documentElement.dataset.ready = "yes";
}).catch(showError);
