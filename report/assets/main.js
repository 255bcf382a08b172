// Puts the page together and keeps the address in step with what is shown (#benchmark), so that a link leads to it.

function showError(error) {
  const app = document.getElementById("app");
  replace(app, el("main.page", {}, el("h1", {}, "This report cannot be shown"), el("p", {}, String(error.message || error))));
  throw error;
}

function makePage(report) {
  const detail = el("div.detail", {tabIndex: -1});
  const many = report.benchmarks.length > 1;
  const show = (benchmark) => {
    replace(detail, makeBenchmark(report, benchmark));
    if (list) list.choose(benchmark);
  };
  const pick = (benchmark) => {
    history.replaceState(null, "", "#" + encodeURIComponent(benchmark.key));
    show(benchmark);
    if (many && detail.getBoundingClientRect().top < 0) detail.scrollIntoView({block: "start"});
  };
  const list = many ? new BenchmarkList(report, pick) : null;
  const overview = many ? el("section.overview", {}, makeTiles(report, (verdict) => list.setVerdict(verdict)), makeSkyline(report, pick), makeSharedCauses(report)) : null;
  const body = report.benchmarks.length ? el("div.body" + (many ? ".with-list" : ""), {}, list && list.node, detail) : null;
  replace(document.getElementById("app"), makeHeader(report), el("main.page", {}, makeNotes(report.notes), overview, body, makePlots(report), emptyNote(report)), makeFooter(report));
  const wanted = () => report.benchmarks.find((b) => "#" + encodeURIComponent(b.key) === location.hash) || report.benchmarks[0];
  if (body) show(wanted());
  addEventListener("hashchange", () => { if (body) show(wanted()); });
}

function makePlots(report) {
  const plots = [...report.timings.map(makeTimings), ...report.fuzz.map(makeFuzz)].filter(Boolean);
  return plots.length ? el("div.plots", {}, plots) : null;
}

function emptyNote(report) {
  if (report.benchmarks.length || report.fuzz.length || report.timings.length) return null;
  return el("p.empty-report", {}, "This result is empty: no benchmark was measured.");
}

function makeFooter(report) {
  return el("footer.foot", {}, el("span", {}, "Made by icount " + report.icount), el("code", {}, cutMiddle(report.command, 600)));
}

loadReport().then((report) => {
  colors = readColors();
  names.fill(report);
  makePage(report);
  document.documentElement.dataset.ready = "yes";
}).catch(showError);
