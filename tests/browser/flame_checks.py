"""The flame graph of a report in a browser: frames, views, the call graph and the search, asked against each other and against
the tables. Called by report_page_test.py."""

import re
import xml.etree.ElementTree

from page_questions import SEARCH_DIFFERENCES, VIEW


def check_flame(checks, page, told):
    if not page.ask("Boolean(document.querySelector('.flame-canvas'))"):
        checks.expect(None, "a canvas", "the flame graph is there")
        return
    checks.expect(page.ask(f"[{VIEW}.tree.base[0], {VIEW}.tree.head[0]]"), [told["base"]["total"], told["head"]["total"]], "frames add up to the totals")
    checks.expect(page.ask(f"{VIEW}.tree.selfBase.reduce((a, b) => a + b, 0)"), told["base"]["total"], "self costs add up")
    page.ask("document.querySelector('.flame-scroll').scrollIntoView({block: 'center'})")
    frame = page.ask(f"{VIEW}.tree.children({VIEW}.tree.children(0)[0])[0]")
    box = page.ask("(({left, top}) => ({left, top}))(document.querySelector('.flame-canvas').getBoundingClientRect())")
    point = page.ask(f"{VIEW}.pointOf({frame})")
    page.click(box["left"] + point["x"], box["top"] + point["y"])
    checks.expect(page.ask(f"{VIEW}.zoom"), frame, "clicking a frame zooms to it")
    checks.expect(page.ask(f"Math.round({VIEW}.pointOf({frame}).width)"), page.ask("document.querySelector('.flame-canvas').clientWidth"), "the frame is as wide as the graph")
    page.ask("document.querySelector('.flame-canvas').focus()")
    page.key("Home")
    checks.expect(page.ask(f"{VIEW}.zoom"), 0, "Home zooms out")
    page.key("ArrowDown")
    checks.expect(page.ask(f"{VIEW}.selected"), page.ask(f"{VIEW}.widest({VIEW}.tree.children(0))"), "the arrow goes to the widest child")
    page.key("Enter")
    page.key("Escape")
    checks.expect(page.ask(f"{VIEW}.zoom"), 0, "Enter zooms, Escape goes back")
    for word in ("longest_match", "deflate"):  # deflate calls deflate_slow: a match below a match
        page.ask(f"{VIEW}.find('{word}')")
        checks.expect(page.ask(f"{VIEW}.search.frames"), page.ask(f"[...{VIEW}.tree.id].filter((id, i) => i && {VIEW}.tree.name(i).includes('{word}')).length"), f"frames found of {word}")
        wanted = page.ask(f"(() => {{ const t = {VIEW}.tree; let sum = 0; for (let i = 1; i < t.size; i++) {{ const up = t.path(i).slice(1, -1); if (t.name(i).includes('{word}') && !up.some((a) => t.name(a).includes('{word}'))) sum += t.head[i]; }} return sum; }})()")
        checks.expect(page.ask(f"{VIEW}.search.head"), wanted, f"{word}: matched share counts what lies below a match once")
    for width, total in (("base", "base"), ("head", "head"), ("max", "both")):
        page.ask(f"{VIEW}.setWidth('{width}')")
        checks.expect(page.ask(f"{VIEW}.layout.weight[0]"), page.ask(f"{VIEW}.tree.{total}[0]"), f"width by {width}")
    page.ask(f"{VIEW}.clearSearch()")
    check_views(checks, page)


def check_views(checks, page):
    """Inverted, callers, callees and filtered trees hold the costs of the frames that they are made of."""
    whole = page.ask(f"[{VIEW}.whole.base[0], {VIEW}.whole.head[0]]")
    flat = "(tree, name, own) => { let sum = 0; for (let i = 1; i < tree.size; i++) if (tree.name(i) === name) sum += own[i]; return sum; }"
    page.ask(f"{VIEW}.show('inverted')")
    checks.expect(page.ask(f"[{VIEW}.tree.base[0], {VIEW}.tree.head[0]]"), whole, "inverted: the whole cost")
    top = page.ask(f"(() => {{ const t = {VIEW}.tree, w = {VIEW}.whole, flat = {flat}; return t.children(0).slice(0, 20).map((i) => [t.name(i), t.head[i], flat(w, t.name(i), w.selfHead)]); }})()")
    checks.expect([row[1] for row in top], [row[2] for row in top], "inverted: a function's first frame is its self cost")
    outer = "(() => { const t = %s.whole; let sum = 0; for (let i = 1; i < t.size;) { if (t.name(i) === '%s') { sum += t.head[i]; i = t.end[i]; } else i++; } return sum; })()"
    for view in ("callers", "callees"):
        page.ask(f"{VIEW}.show('{view}', 'deflate_slow')")
        checks.expect(page.ask(f"{VIEW}.tree.head[0]"), page.ask(outer % (VIEW, "deflate_slow")), f"{view} of deflate_slow: its inclusive cost")
    checks.expect_true("longest_match" in page.ask(f"{VIEW}.tree.children(1).map((i) => {VIEW}.tree.name(i))"), "deflate_slow calls longest_match")
    page.ask(f"{VIEW}.show('callers', 'longest_match')")
    checks.expect(page.ask(f"{VIEW}.tree.name({VIEW}.tree.children(1)[0])"), "deflate_slow", "longest_match is called by deflate_slow")
    check_sandwich(checks, page)
    check_call_graph(checks, page)
    page.ask(f"(() => {{ {VIEW}.show('stacks'); {VIEW}.find('longest_match'); {VIEW}.keepFound(true); }})()")
    checks.expect(page.ask(f"{VIEW}.tree.head[0]"), page.ask(outer % (VIEW, "longest_match")), "focus: only stacks with longest_match")
    page.ask(f"(() => {{ {VIEW}.show('stacks'); {VIEW}.find('longest_match'); {VIEW}.keepFound(false); }})()")
    checks.expect(page.ask(f"{VIEW}.tree.head[0]"), whole[1] - page.ask(outer % (VIEW, "longest_match")), "ignore: all others")
    page.ask(f"(() => {{ {VIEW}.clearSearch(); {VIEW}.show('stacks'); }})()")


def check_sandwich(checks, page):
    """Callers above, callees below: the trees of both views, joined at the function; mouse and keys find what is drawn."""
    page.ask(f"{VIEW}.show('sandwich', 'deflate_slow')")
    page.frame()
    described = f"((t) => [t.name(0), t.base[0], t.head[0], t.children(0).map((i) => [t.name(i), t.head[i], t.depth[i] - t.depth[0]])])({VIEW}.tree)"
    parts = [page.ask(f"((t) => [t.base[1], t.head[1], t.children(1).map((i) => [t.name(i), t.head[i], {way}])])({VIEW}.makeTree('{view}', 'deflate_slow'))") for view, way in (("callers", -1), ("callees", 1))]
    name, base, head, children = page.ask(described)
    checks.expect(name, "deflate_slow", "sandwich: the function is in the middle")
    checks.expect([base, head, children], [*parts[0][:2], parts[0][2] + parts[1][2]], "sandwich: callers above and callees below, with their costs")
    checks.expect([row[0] for row in children if row[2] < 0], ["deflate"], "sandwich: deflate is above")
    checks.expect_true("longest_match" in [row[0] for row in children if row[2] > 0], "sandwich: longest_match is below")
    wrong = page.ask(f"(() => {{ const v = {VIEW}, wrong = []; for (let i = 0; i < v.tree.size; i++) {{ const p = v.pointOf(i); if (p.width >= 2 && v.frameAtPoint(p.x, p.y) !== i) wrong.push(v.tree.name(i)); }} return wrong; }})()")
    checks.expect(wrong, [], "sandwich: frames that the mouse misses")
    page.ask("document.querySelector('.flame-canvas').focus()")
    page.key("ArrowUp")
    checks.expect(page.ask(f"{VIEW}.tree.name({VIEW}.selected)"), "deflate", "sandwich: the arrow up goes to the caller")
    page.key("ArrowDown")
    page.key("ArrowDown")
    checks.expect(page.ask(f"{VIEW}.tree.name({VIEW}.selected)"), "longest_match", "sandwich: the arrow down goes to the callee")
    if checks.screenshots:
        page.screenshot(checks.screenshots / "sandwich.png")


def check_call_graph(checks, page):
    """Functions and calls are those of the tables; the same picture each time, alone as a file, moved in by keyboard."""
    page.ask(f"{VIEW}.show('graph', 'deflate_slow')")
    page.frame()
    rows = page.ask(f"((v) => v.graph.nodes.map((n) => [v.matched.name(n.row), n.depth]))({VIEW})")
    checks.expect([row for row in rows if row[1] < 0], [["main", -2], ["deflate", -1]], "graph: callers")
    table = page.ask(f"((b, m) => {{ const at = b.functions.id.findIndex((id, i) => m.name(i) === 'deflate_slow'); return m.calls[at].map((e) => m.name(b.edges.callee[e])); }})({VIEW}.benchmark, {VIEW}.matched)")
    checks.expect(sorted(row[0] for row in rows if row[1] == 1), sorted(table), "graph: callees are those of the table of calls")
    lines = page.ask("[...document.querySelectorAll('.graph-line title')].map((node) => node.textContent)")
    checks.expect_true(any(re.match(r"deflate_slow calls longest_match: [\d,]+ → [\d,]+ \(.*\) calls, cost [\d,]+ → [\d,]+ \(\+[\d,]+\)$", line) for line in lines), f"graph: lines say calls and cost: {lines[:3]}")
    text = page.ask(f"{VIEW}.graph.toText()")
    page.ask(f"{VIEW}.graph.draw()")
    checks.expect(page.ask(f"{VIEW}.graph.toText()") == text, True, "graph: the same picture each time")
    root = xml.etree.ElementTree.fromstring(text)
    checks.expect(root.tag, "{http://www.w3.org/2000/svg}svg", "graph: the file is SVG")
    checks.expect(re.findall(r"(?:href|url\(|<style|<script)", text), [], "graph: the file needs nothing else")
    page.ask("document.querySelector('.graph-node[tabindex=\"0\"]').focus()")
    page.key("ArrowDown")
    below = page.ask("document.activeElement.getAttribute('aria-label')")
    page.key("Enter")
    checks.expect(page.ask(f"{VIEW}.of"), below.split(",")[0], "graph: Enter puts the callee into the middle")
    checks.expect_true("in the middle" in page.ask("document.activeElement.getAttribute('aria-label')"), "graph: where the focus stays")
    checks.expect(page.ask("location.hash").split("&")[1:], ["view=graph", "of=" + below.split(",")[0]], "graph: the address")
    for width in (390, 1200):
        page.resize(width, 900)
        page.frame()
        page.frame()
        checks.expect_true(page.ask("((svg) => svg.getBoundingClientRect().width <= svg.parentNode.clientWidth + 8)(document.querySelector('.graph-space svg'))"), f"graph: fits a window of {width}")
    if checks.screenshots:
        page.screenshot(checks.screenshots / "graph.png")
    page.key("Escape")
    checks.expect(page.ask(f"{VIEW}.view"), "stacks", "graph: Escape leads back")


def check_search(checks, page, report, least):
    """Every function of the table is found by its whole name, with the table's figures."""
    names = page.ask(f"new Set({VIEW}.benchmark.functions.id.map((id, row) => {VIEW}.matched.name(row))).size")
    checks.expect_true(names >= least, f"{report}: {names} names")
    checks.expect(page.ask(SEARCH_DIFFERENCES), [], f"{report}: search and table differ")
    page.ask(f"{VIEW}.find('/^(?!x)x/')")
    checks.expect(page.ask("document.querySelector('.flame-found').textContent")[:11], "0 functions", f"{report}: nothing is found")
    page.ask(f"{VIEW}.clearSearch()")
