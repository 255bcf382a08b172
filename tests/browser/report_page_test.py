"""Opens icount's reports in a real headless Chromium and asks them what they show. One browser for all checks.

usage: report_page_test.py ICOUNT SOURCE_FOLDER [--screenshots FOLDER] [--only WORD]
Times are printed, never judged: the machine may be busy. Exit code 77: no browser here.
ICOUNT_LIBTORCH_RESULTS="BASE:HEAD" names results of one suite with two LibTorchs, instead of those in tests/testdata/suites.
"""

import argparse
import base64
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import chromium  # noqa: E402
import flame_checks  # noqa: E402
import report_inputs  # noqa: E402
import serve_checks  # noqa: E402
from page_questions import AXE_VIOLATIONS, EVERY_BENCHMARK, FLAT_DIFFERENCES, SCROLLING_SIDEWAYS, UNREADABLE, VIEW, change, count, number, stand_in_order  # noqa: E402


class Checks:
    """The checks; each method beginning with check_ is one, in the order written."""

    def __init__(self, browser, icount, source, folder, screenshots, axe=""):
        self.browser, self.icount, self.source, self.folder, self.screenshots, self.axe = browser, icount, source, folder, screenshots, axe
        self.failures = 0

    # Tools

    def expect(self, actual, wanted, what):
        if actual == wanted:
            return
        self.failures += 1
        print(f"FAILED  {what}: {str(actual)[:600]!r} instead of {str(wanted)[:600]!r}")

    def expect_true(self, value, what):
        self.expect(bool(value), True, what)

    def told(self, base, head):
        """What `icount diff` says of two files."""
        done = subprocess.run([self.icount, "diff", str(base), str(head), "--format", "json"], capture_output=True, check=True)
        return json.loads(done.stdout)

    def report(self, name, *words):
        out = self.folder / name
        done = subprocess.run([self.icount, "report", *map(str, words), "-o", str(out)], capture_output=True, text=True, cwd=self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"icount report {words}: {done.stderr}")
        return out

    def show(self, page_file, **options):
        page = self.browser.page(**options)
        page.open(str(page_file))
        page.frame()
        return page

    def finish(self, page, name):
        """No complaint, no request, nothing wider than the window; pictures when asked for."""
        self.expect(page.complaints(), [], f"{name}: complaints of the browser")
        self.expect(page.requests(), [], f"{name}: loads")
        for width in (1600, 390):
            page.resize(width, 900)
            page.ask("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
            page.frame()
            self.expect(page.ask("document.documentElement.scrollWidth"), width, f"{name}: width of the page in a window of {width}")
            self.expect(page.ask(SCROLLING_SIDEWAYS), [], f"{name}: what scrolls sideways in a window of {width}")
            for theme in ("light", "dark"):
                page.theme(theme)
                page.frame()
                self.expect(page.ask(UNREADABLE), [], f"{name}: texts of too little contrast, {theme}, {width}")
                if self.screenshots:
                    page.screenshot(self.screenshots / f"{name}-{width}-{theme}.png")
            if self.axe:
                self.expect(page.ask(f"{self.axe}; {AXE_VIOLATIONS}"), [], f"{name}: axe, in a window of {width}")
        page.close()

    def shown(self, page, selector):
        return page.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map((node) => node.textContent)")

    # Checks

    def check_a_pair_of_profiles(self):
        pair = self.source / "tests/testdata/pairs/zlib-longer-chains"
        base, head = sorted(str(path) for path in pair.iterdir() if path.suffix in (".xz", ".out", ".gz", ".zst"))[:2]
        told = self.told(base, head)
        page = self.show(self.report("pair.html", base, head))
        self.expect(self.shown(page, ".big-value"), [count(told["base"]["total"]), count(told["head"]["total"]), change(told["delta"])], "totals")
        first = [change(cause["delta"]) for cause in told["causes"]][:5]
        self.expect(self.shown(page, ".waterfall > .cause:not([data-kind=group]) > .cause-delta")[:5], first, "deltas of the first causes")
        deltas = page.ask("[...document.querySelectorAll('.cause[data-delta]')].map((row) => Number(row.dataset.delta)).reduce((a, b) => a + b, 0)")
        self.expect(deltas, told["delta"], "the causes shown add up")
        self.expect_sorting(page, told)
        flame_checks.check_flame(self, page, told)
        flame_checks.check_search(self, page, "pair", 100)
        self.expect(page.ask(FLAT_DIFFERENCES), [], "the frames of a function add up to its self cost, on both sides")
        self.finish(page, "pair")

    def check_inside(self):
        """Annotated source: folded, made when asked for, inert, with figures that add up; side by side where both sides' texts differ."""
        hostile = "  /* </script><script>alert(1)</script> */"
        scan = (self.source / "tests/testdata/inside/scan.c").read_text().splitlines()
        texts = {"base": scan, "head": scan[:9] + [hostile] + scan[9:]}
        profiles = {}
        for side, lines in texts.items():
            folder = self.folder / f"inside-{side}"
            folder.mkdir()
            profile = lzma.decompress((self.source / f"tests/testdata/inside/iterate.{side}.xz").read_bytes()).replace(b"/build/scan.c", b"scan.c")
            profiles[side] = folder / "profile.out"
            profiles[side].write_bytes(profile)
            (folder / "scan.c").write_text("\n".join(lines) + "\n")
            os.utime(folder / "scan.c", (1e9, 1e9))
        page = self.show(self.report("inside.html", profiles["base"], profiles["head"]))
        self.expect(self.shown(page, ".source"), [], "no source before it is asked for")
        page.ask("[...document.querySelectorAll('.inside-function')].find((node) => node.textContent.includes('scan')).open = true")
        page.frame()
        self.expect(page.ask("document.querySelectorAll('.source.split').length"), 1, "both sides' texts differ: side by side")
        code = self.shown(page, ".source td.code")
        self.expect_true(hostile in code and "    if (p[i] < limit)" in code, "the source stands there as text")
        self.expect(self.shown(page, ".source-loop"), ["loop at lines 9–11: entered 1,000 times, 40 → 60 iterations per entry, 40,000 → 60,000 in all"], "loops")
        costs = page.ask("[...document.querySelectorAll('.source tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
        for at, wanted in ((2, 299178), (6, 443816)):
            self.expect(sum(number(row[at]) for row in costs if len(row) > at and row[at]), wanted, "self cost of the lines")
        self.finish(page, "inside")
        bare = self.show(self.report("inside-bare.html", "--no-source", profiles["base"], profiles["head"]))
        bare.ask("document.querySelectorAll('.inside-function').forEach((node) => { node.open = true; })")
        bare.frame()
        self.expect("".join(self.shown(bare, ".source code")), "", "--no-source")
        self.finish(bare, "inside-bare")

    def expect_sorting(self, page, told):
        column = "[...document.querySelectorAll('.tables tbody tr')].map((row) => row.cells[3].querySelector('.change-cell').firstChild.textContent)"
        biggest = [change(function["delta"]) for function in told["functions"]][:10]
        self.expect(page.ask(column)[:10], biggest, "functions by change of self cost")
        page.ask("document.querySelectorAll('.tables th button')[1].click()")
        values = [number(text) for text in page.ask("[...document.querySelectorAll('.tables tbody tr')].map((row) => row.cells[1].textContent)")]
        self.expect(values, sorted(values, reverse=True), "sorted by self cost of base")
        self.expect(page.ask("document.querySelectorAll('.tables th')[1].getAttribute('aria-sort')"), "descending", "the sorted column says so")
        page.ask("document.querySelectorAll('.tables th button')[1].click()")
        values = [number(text) for text in page.ask("[...document.querySelectorAll('.tables tbody tr')].map((row) => row.cells[1].textContent)")]
        self.expect(values, sorted(values), "sorted the other way round")
        page.ask("(() => { const field = document.querySelector('.tables .filter'); field.value = 'longest_match'; field.dispatchEvent(new Event('input')); })()")
        names = self.shown(page, ".tables tbody tr td:first-child")
        self.expect_true(names and all("longest_match" in name for name in names), f"filter keeps what matches: {names}")

    def check_two_libtorchs(self):
        """The standard set with two LibTorchs; every number that the page shows of a benchmark is the one that diff tells."""
        named = os.environ.get("ICOUNT_LIBTORCH_RESULTS")
        folder = self.source / "tests/testdata/suites"
        base, head = map(pathlib.Path, named.split(os.pathsep)) if named else (folder / "torch-1.13.icount.xz", folder / "torch-2.13.icount.xz")
        missing = [str(path) for path in (base, head) if not path.exists()]
        if missing and not named:
            return f"there is no {' and no '.join(missing)}; ICOUNT_LIBTORCH_RESULTS=BASE:HEAD names others"
        told = self.told(base, head)
        compared = [b for b in told["benchmarks"] if b["state"] == "compared"]
        self.expect_true(len(compared) > 50, f"{len(compared)} benchmarks are compared")
        page = self.show(self.report("libtorchs.html", base, head))
        listed = page.ask("Object.fromEntries([...document.querySelectorAll('.benchmark')].map((row) => [row.title, row.querySelector('.figure-count')?.textContent ?? row.querySelector('.figure').textContent]))")
        self.expect(sorted(listed), sorted(b["label"] for b in told["benchmarks"]), "benchmarks listed")
        self.expect({b["label"]: listed.get(b["label"]) for b in compared}, {b["label"]: change(b["delta"]) for b in compared}, "changes listed")
        tiles = dict(zip(self.shown(page, ".tile"), map(number, self.shown(page, ".tile-number"))))
        self.expect(sum(tiles.values()), len(told["benchmarks"]), f"each benchmark has one verdict: {tiles}")
        seen = page.ask(EVERY_BENCHMARK)
        for b in compared:
            shown = seen[b["label"]]
            self.expect(shown["totals"], [count(b["base"]["total"]), count(b["head"]["total"]), change(b["delta"])], b["label"] + ": totals")
            self.expect_true(stand_in_order(shown["causes"], b["causes"]), f"{b['label']}: the causes shown are the first ones: {shown['causes'][:5]}")
            self.expect(shown["causeSum"], b["delta"], b["label"] + ": the causes shown add up")
            moved = [abs(number(text)) for text in shown["functions"][:10] if text != "0"]  # equal ones stand in any order
            self.expect(moved, [abs(function["delta"]) for function in b["functions"]][:10], b["label"] + ": functions by change of self cost")
        self.expect_shared_causes(page, told, compared)
        page.ask("[...document.querySelectorAll('.benchmark')].find((row) => row.title.includes('LSTM')).click()")
        flame_checks.check_search(self, page, "libtorchs", 50)
        self.expect_verdict(page, compared)
        self.expect_keyboard(page)
        self.expect_address(page, self.folder / "libtorchs.html")
        self.expect_print(page, ["LSTM", "LayerNorm", "contiguous (trivial)", "reshape", "MaxPool2d"] if not named else [])
        self.finish(page, "libtorchs")

    def expect_shared_causes(self, page, told, compared):
        changed = [b for b in compared if b["delta"]]
        shared = [cause for cause in told["shared_causes"][:3] if abs(cause["share"]) >= 0.01]
        effects = self.shown(page, ".shared .effect")
        self.expect(len(effects), len(shared), "shared causes")
        for effect, cause in zip(effects, shared):
            self.expect_true(f"in {count(cause['benchmarks'])} of {count(len(changed))} changed benchmarks, the main cause in {cause['explains'] or 'none'}" in effect, f"{effect!r}: in {cause['benchmarks']}, explains {cause['explains']}")
            self.expect_true(effect.startswith((change(cause["delta"]), f"net {change(cause['delta'])}")), f"{effect!r}: the sum is {cause['delta']}")

    def expect_verdict(self, page, compared):
        """How many cost more and less, with the largest of each; the worst regressions lead to their benchmarks."""
        for direction, word in ((1, "cost more"), (-1, "cost less")):
            moved = [b for b in compared if b["delta"] * direction > 0]
            said = [text for text in self.shown(page, ".verdict p") if word in text][0]
            self.expect_true(said.startswith(f"{len(moved)} {word}: at most {change(direction * max(abs(b['delta']) for b in moved))} "), f"{said!r}: {len(moved)} {word}")
        worst = max((b for b in compared if b["base"]["total"]), key=lambda b: b["delta"] / b["base"]["total"])
        page.ask("[...document.querySelectorAll('.verdict p')].pop().querySelector('button').click()")
        self.expect(page.ask("document.querySelector('.benchmark-head h2').title"), worst["label"], "the first of the worst regressions is the largest by share")
        page.ask("[...document.querySelectorAll('.skyline-box .segment')].find((node) => node.textContent === 'absolute').click()")
        bars = page.ask("[...document.querySelectorAll('.skyline .hit')].map((node) => node.getAttribute('aria-label'))")
        wanted = sorted((b["delta"] for b in compared), reverse=True)
        self.expect([number(bar.rsplit(": ", 1)[1].replace("+", "")) for bar in bars], wanted, "bars ordered by absolute change")

    def expect_keyboard(self, page):
        """Tab reaches the flame graph in few steps; arrows move in the list and the chart; Enter goes to the benchmark; Escape and clicks take the tooltip away."""
        stops = page.ask("[...document.querySelectorAll('button, input, summary, canvas, [tabindex]')].filter((node) => node.tabIndex >= 0 && node.checkVisibility()).findIndex((node) => node.matches('.flame-canvas'))")
        self.expect_true(0 < stops < 50, f"the flame graph is Tab stop {stops}")
        page.ask("document.querySelector('.benchmark[tabindex=\"0\"]').focus()")
        page.key("End")
        last = page.ask("document.activeElement.title")
        self.expect(last, page.ask("[...document.querySelectorAll('.benchmark')].pop().title"), "End goes to the last benchmark")
        page.key("Enter")
        self.expect(page.ask("document.querySelector('.benchmark-head h2').title"), last, "Enter shows it")
        page.ask("document.querySelector('.skyline .hit[tabindex=\"0\"]').focus()")
        page.key("ArrowRight")
        wanted = page.ask("document.querySelectorAll('.skyline .hit')[1] === document.activeElement")
        self.expect(wanted, True, "the arrow goes to the next bar")
        page.key("Enter")
        self.expect_true(page.ask("document.activeElement.matches('.detail')"), "Enter moves to the benchmark of the bar")

    def expect_address(self, page, file):
        """Zoom, search and width are in the address, and an address leads to them."""
        page.ask(f"(() => {{ {VIEW}.setWidth('head'); {VIEW}.find('malloc'); {VIEW}.zoomTo(3); }})()")
        longest = page.ask(f"((t) => {{ let most = 1; for (let i = 1; i < t.size; i++) if (t.name(i).length < 1400 && t.name(i).length > t.name(most).length && {VIEW}.layout.weight[i] > 0) most = i; return most; }})({VIEW}.tree)")
        page.ask(f"{VIEW}.select({longest})")
        self.expect(page.ask("document.querySelector('.about-name code').textContent"), page.ask(f"{VIEW}.tree.name({longest})"), "the whole name of the selected frame can be selected")
        page.ask(f"{VIEW}.zoomTo(3)")
        address = page.ask("location.hash")
        self.expect(address.split("&")[1:], ["zoom=3", "find=malloc", "width=head"], "what the address says")
        other = self.browser.page()
        other.open(str(file) + address)
        other.frame()
        self.expect(other.ask(f"[{VIEW}.zoom, {VIEW}.searchField.value, {VIEW}.width]"), [3, "malloc", "head"], "where the address leads")
        self.expect(other.ask("document.querySelector('.benchmark-head h2').title"), page.ask("document.querySelector('.benchmark-head h2').title"), "the benchmark of the address")
        other.close()

    def expect_print(self, page, labels):
        """Every benchmark is in the printed list, and the flame graph is drawn for the page."""
        if not shutil.which("pdftotext"):
            print("        no pdftotext here: the printed page is not read")
            return
        pdf = self.folder / "printed.pdf"
        pdf.write_bytes(base64.b64decode(page.call("Page.printToPDF", printBackground=True)["data"]))
        text = " ".join(subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout.split())
        missing = [label for label in labels if label not in text]
        self.expect(missing, [], "benchmarks that are not printed")

    def check_hostile_names(self):
        base, head = report_inputs.hostile_profiles(self.folder)
        results = report_inputs.hostile_results(self.folder)
        for name, words in (("hostile-profiles", (base, head)), ("hostile-results", results)):
            page = self.browser.page(before="window.alert = () => { window.pwned = true; };")
            page.open(str(self.report(name + ".html", *words)))
            page.frame()
            page.ask("document.querySelectorAll('button.link, .benchmark, summary').forEach((node) => node.click())")
            page.frame()
            self.expect(page.ask("window.pwned === undefined && document.title !== 'pwned'"), True, f"{name}: nothing ran")
            self.expect(page.ask("document.querySelectorAll('#app img, #app script, #app iframe, #app a').length"), 0, f"{name}: no element came from a name")
            turning = "[...document.querySelectorAll('#app *')].filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && /[\\u0590-\\u08ff]/.test(child.data)) && node.namespaceURI.endsWith('xhtml') && getComputedStyle(node).unicodeBidi === 'normal').map((node) => node.outerHTML.slice(0, 120))"
            self.expect(page.ask(turning), [], f"{name}: names written from right to left turn nothing around them")
            self.expect(page.ask("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText + [...document.querySelectorAll('[title]')].map((n) => n.title).join(''))"), False, f"{name}: no bidirectional control is left")
            if name == "hostile-profiles":
                broken = page.ask(f"((v) => v.benchmark.functions.id.map((id, row) => v.matched.name(row)).filter((of) => {{ v.show('graph', of); return new DOMParser().parseFromString(v.graph.toText(), 'image/svg+xml').querySelector('parsererror, script, image, foreignObject'); }}))({VIEW})")
                self.expect(broken, [], f"{name}: functions whose call graph is not plain SVG")
                page.ask(f"{VIEW}.show('stacks')")
            self.expect_true("\\u{202e}" in page.ask("document.getElementById('app').textContent"), f"{name}: it is shown as an escape")
            self.expect_true(page.ask("document.getElementById('app').textContent.length") < 60_000, f"{name}: long names are shortened")
            if name == "hostile-results":  # a group without a place to break, which stands above its benchmark
                page.ask("[...document.querySelectorAll('.benchmark')].find((node) => node.title.startsWith('group yyy')).click()")
            self.finish(page, name)

    def check_little_input(self):
        """A report of nothing, of one side of nothing, and of a side without calls."""
        nothing, plain, calls = report_inputs.little_profiles(self.folder)
        for name, files, words in (("nothing", (nothing,), ["Total"]), ("nothing-twice", (nothing, nothing), ["unchanged", "No change"]), ("gone", (calls, nothing), ["costs less", "f11"]),
                                   ("no-calls", (plain, calls), ["costs more", "base: it has no calls"]), ("no-calls-alone", (plain,), ["f11"])):
            page = self.show(self.report(name + ".html", *files))
            text = page.ask("document.body.innerText")
            self.expect([word for word in words if word not in text], [], f"{name}: what it should say")
            self.expect([word for word in ("NaN", "undefined", "Infinity", "null") if word in text], [], f"{name}: what it should not say")
            if page.ask("Boolean(document.querySelector('.flame-canvas'))"):
                for view in ("inverted", "callers", "callees", "sandwich", "graph", "stacks"):
                    page.ask(f"{VIEW}.show('{view}', 'f0')")
                    page.frame()
            self.finish(page, name)

    def check_few_and_many_benchmarks(self):
        empty, base, head = report_inputs.many_results(self.folder, 1999)
        page = self.show(self.report("empty.html", empty))
        self.expect_true("no benchmark was measured" in page.ask("document.body.innerText"), "an empty result says so")
        self.finish(page, "empty")
        begun = time.monotonic()
        page = self.show(self.report("many.html", base, head))
        print(f"        2,000 benchmarks: written and shown after {time.monotonic() - begun:.1f} s")
        self.expect([page.ask("document.querySelectorAll('.benchmarks li').length"), page.ask("document.querySelector('.list-count').textContent")], [200, "2,000 benchmarks"], "the largest of 2,000 are listed")
        page.ask("document.querySelector('.side-list .more').click()")
        self.expect(page.ask("document.querySelectorAll('.benchmarks li').length"), 800, "and more on request")
        page.ask("dispatchEvent(new Event('beforeprint'))")
        self.expect(page.ask("document.querySelectorAll('.benchmarks li').length"), 2000, "all 2,000 are printed")
        page.ask("dispatchEvent(new Event('afterprint'))")
        tiles = dict(zip(self.shown(page, ".tile-word"), self.shown(page, ".tile-number")))
        self.expect(tiles, report_inputs.MANY_VERDICTS, "verdicts")
        page.ask("(() => { const field = document.querySelector('.side-list .filter'); field.value = 'bench 1998'; field.dispatchEvent(new Event('input')); })()")
        self.expect(page.ask("document.querySelectorAll('.benchmarks li').length"), 1, "the list filters")
        page.ask("document.querySelector('.benchmarks button').click()")
        self.expect_true("bench 1998" in page.ask("document.querySelector('.benchmark-head').textContent"), "picking one shows it")
        self.expect_true("bench%201998" in page.ask("location.hash"), "and the address leads to it")
        other = self.show(str(self.folder / "many.html") + page.ask("location.hash"))
        self.expect(other.ask("[...document.querySelectorAll('.benchmark')].some((row) => row.getAttribute('aria-current') && row.title.endsWith('bench 1998'))"), True, "where it is listed and marked")
        other.close()
        self.finish(page, "many")

    def check_a_gate(self):
        """A gate's verdict and findings stand above all; they lead to their benchmarks, and hostile texts stay text."""
        _, base, head = report_inputs.many_results(self.folder, 20)
        findings = [{"kind": "regressed", "severity": "refusal", "benchmark": "group 0 / bench 0", "text": "Ir 10,000 -> 10,250, over the limit of 1 %"},
                    {"kind": "improved", "severity": "note", "benchmark": "group 0 / bench 1", "text": "Ir 10,000 -> 9,000"},
                    {"kind": "new", "severity": "note", "benchmark": "<b>nobody</b>", "text": "<script>alert(1)</script>"}]
        gate = self.folder / "gate.json"
        gate.write_text(json.dumps({"schema": {"name": "icount-gate", "version": 1}, "verdict": "refusal", "against": "main", "compared": 19, "changed": 2, "findings": findings}))
        page = self.show(self.report("gate.html", base, head, "--gate", gate))
        self.expect(self.shown(page, ".gate .chip"), ["refused"], "the gate's verdict")
        self.expect_true("over the limit of 1 %" in self.shown(page, ".gate > .findings li")[0], "its finding")
        self.expect_true("9,000" in self.shown(page, ".gate > .findings li")[1], "and what was gained")
        self.expect_true("<script>" in self.shown(page, ".gate details li")[0], "notes are folded, and text")
        page.ask("document.querySelector('.gate .findings .link').click()")
        self.expect(page.ask("document.querySelector('.benchmark-head h2').title"), "group 0 / bench 0", "a finding leads to its benchmark")
        self.finish(page, "gate")

    def check_a_history(self):
        files, values = report_inputs.history_results(self.folder)
        page = self.show(self.report("history.html", *files))
        self.expect(page.ask("document.querySelectorAll('.plot circle').length"), len(values), "one mark per result")
        page.ask("document.querySelector('.plot').scrollIntoView({block: 'center'})")
        self.finish(page, "history")

    def check_plots(self):
        fuzz, times = report_inputs.plot_files(self.folder)
        sizes = report_inputs.save_results(self.folder / "sizes.icount", [report_inputs.result(["parse", f"n = {n}"], n * n) for n in (100, 200, 400)])
        page = self.show(self.report("plots.html", fuzz, times, sizes))
        self.expect(page.ask("document.querySelectorAll('.growth .plot [class^=mark-series]').length"), 3, "one mark per size")
        self.expect(self.shown(page, ".growth .key")[0], "all, n^2.0", "how it grows")
        self.expect(page.ask("document.querySelectorAll('.fuzz .plot')[0].querySelectorAll('[class^=mark-series]').length"), 2 * report_inputs.FUZZ_SAMPLES, "one mark per sample and statement")
        self.expect(page.ask("document.querySelectorAll('.timings .median').length"), report_inputs.TIMED, "one median per timing")
        self.finish(page, "plots")

    def check_twenty_thousand_frames(self):
        base, head = report_inputs.deep_profiles(self.folder, 30_000)
        file = self.report("frames.html", base, head)
        page = self.browser.page(before="new PerformanceObserver((list) => { for (const e of list.getEntries()) window['paint ' + e.name] = e.startTime; }).observe({type: 'paint', buffered: true});")
        page.open(str(file))
        page.wait_for("window['paint first-contentful-paint'] > 0 && Boolean(document.querySelector('.flame-canvas')?.dataset.paintMs)")
        frames = page.ask(f"{VIEW}.tree.size")
        self.expect_true(frames > 19_000, f"{frames} frames are drawn from")
        flame_checks.check_search(self, page, "frames", 1000)
        zoom = page.ask(f"""(async () => {{ const view = {VIEW}, times = [];
            for (const frame of [5, 0, 40, 0]) {{ const start = performance.now(); view.zoomTo(frame); await new Promise((done) => requestAnimationFrame(done)); await new Promise((done) => setTimeout(done)); times.push(performance.now() - start); }}
            return Math.max(...times); }})()""")
        print(f"        {frames} frames, {file.stat().st_size:,} bytes: first paint {page.ask('window[`paint first-contentful-paint`]'):.0f} ms, "
              f"drawing {page.ask('document.querySelector(`.flame-canvas`).dataset.paintMs')} ms, a zoom to the next frame {zoom:.0f} ms")
        self.finish(page, "frames")

    def check_a_served_history(self):
        serve_checks.check(self)

    def check_browsers_that_cannot_unpack(self):
        page = self.browser.page(before="delete window.DecompressionStream;")
        page.open(str(self.folder / "frames.html"), ready="document.readyState === 'complete' && Boolean(document.querySelector('h1'))")
        self.expect_true("cannot unpack" in page.ask("document.body.innerText"), "a browser without DecompressionStream is told so")
        page.close()

    def run(self, only):
        for name in [name for name in vars(Checks) if name.startswith("check_")]:
            if only and only not in name:
                continue
            begun, before, skipped = time.monotonic(), self.failures, None
            try:
                skipped = getattr(self, name)()
            except Exception as error:  # one broken check must not hide the others
                self.failures += 1
                print(f"FAILED  {type(error).__name__}: {error}")
            if skipped:
                print(f"SKIPPED {name[6:].replace('_', ' ')}: {skipped}", flush=True)
                continue
            print(f"{'ok    ' if self.failures == before else 'FAILED'}  {name[6:].replace('_', ' ')}  ({time.monotonic() - begun:.1f} s)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("icount")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--only")
    parser.add_argument("--axe", type=pathlib.Path, metavar="FILE", help="axe.min.js of axe-core: asked about every page as well")
    options = parser.parse_args()
    path = chromium.find_browser()
    if not path:
        print("skipped: no Chromium here (Debian's package is chromium)")
        return 77
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    browser = chromium.Browser(path, limit_s=60)
    try:
        with tempfile.TemporaryDirectory() as folder:
            checks = Checks(browser, str(pathlib.Path(options.icount).resolve()), options.source.resolve(), pathlib.Path(folder), options.screenshots, options.axe.read_text() if options.axe else "")
            checks.run(options.only)
    finally:
        browser.close()
    print("all is well" if not checks.failures else f"{checks.failures} failures")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
