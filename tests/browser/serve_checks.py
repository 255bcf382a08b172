"""`icount serve` in a browser: from the list of runs to the report of any two. Called by report_page_test.py."""

import lzma
import subprocess


def check(checks):
    folder = checks.folder / "served"
    folder.mkdir()
    for version in ("1.13", "2.13"):
        packed = checks.source / f"tests/testdata/suites/torch-{version}.icount.xz"
        (folder / f"torch-{version}.icount").write_bytes(lzma.decompress(packed.read_bytes()))
    (folder / "notes.json").write_text("{}")
    server = subprocess.Popen([checks.icount, "serve", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://127.0.0.1:"))
        page = checks.browser.page()
        page.open(address, ready="document.readyState === 'complete'")
        checks.expect(page.ask("document.querySelectorAll('#runs tr').length"), 3, "serve: runs and their heading")
        checks.expect_true(page.ask("document.querySelectorAll('#benchmarks tr').length > 1"), "serve: benchmarks")
        key = page.ask("document.querySelector('#benchmarks a').textContent")

        loaded = page.loads()
        page.ask("document.querySelector('#benchmarks a').click()")
        page.wait_for("location.pathname === '/benchmark' && document.readyState === 'complete'")
        checks.expect(page.ask("document.querySelector('h1').textContent"), key, "serve: the page of a benchmark")
        checks.expect(page.ask("document.querySelectorAll('#history tr').length"), 3, "serve: its runs and their heading")

        page.open(address, ready="document.readyState === 'complete'")
        page.ask("document.querySelector('button[type=submit]').click()")
        page.wait_for("location.pathname === '/report' && document.documentElement?.dataset.ready === 'yes'")
        checks.expect_true("torch-1.13.icount" in page.ask("document.title") and "torch-2.13.icount" in page.ask("document.title"),
                           "serve: the report of the two chosen runs")
        checks.expect_true(page.loads() > loaded, "serve: pages were loaded")
        page.open(address + "report?base=1&head=99", ready="document.readyState === 'complete'")
        checks.expect(page.ask("document.querySelector('h1').textContent"), "Not found", "serve: a run that is not there")
        checks.expect([c for c in page.complaints() if "404" not in c], [], "serve: complaints of the browser")
        page.close()
    finally:
        server.terminate()
        _, errors = server.communicate(timeout=60)
    checks.expect_true("notes.json" in errors, "serve: what is no result file is left out, and said")
