"""Files for report_page_test.py: results and profiles of known contents, some as hostile as they can be. Nothing is random."""

import json

HOSTILE = ["<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'><svg onload=alert(1)>",
           "javascript:alert(1)", "<!--<script>", "]]>", "${alert(1)}", "evil\u202egnp.exe", "\u2066isolated\u2069", "zero\u200bwidth", "line\u2028separator",
           "`alert(1)`", "&lt;b&gt;&amp;", "\x1b[31mred", "__proto__", "constructor", "\u05d0\u05d1\u05d2(\u05d3)", "<title>pwned</title>", "y" * 100_000]
FUZZ_SAMPLES = 60
TIMED = 6
MANY_VERDICTS = {"cost more": "100", "cost less": "100", "unchanged": "1,796", "new": "1", "vanished": "1", "failed": "2"}


def save_results(path, results, fingerprint=()):
    facts = [{"name": name, "value": value, "class": kind} for name, value, kind in fingerprint]
    lines = [{"schema": {"name": "icount-result", "version": 1}, "command": "icount suite run", "fingerprint": facts}, *results]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def result(label, counts, **more):
    return {"label": label, "counts": [counts] if isinstance(counts, int) else counts, "number_per_run": 100, **more}


def hostile_profiles(folder):
    """Two callgrind.out files whose functions, files and objects are named so; one name is no UTF-8."""
    paths = []
    for name, extra in (("hostile-base.out", 0), ("hostile-head.out", 7)):
        lines = [b"version: 1", b"creator: callgrind-3.19.0", b"cmd: <script>alert(1)</script>", b"positions: line", b"events: Ir", b""]
        names = [text.replace("\n", " ").encode() for text in HOSTILE] + [b"not\xff\xfeutf8"]
        lines += [b"ob=<b>prog</b>", b"fl=<i>main.cc</i>", b"fn=main", b"1 10"]
        for i, text in enumerate(names):
            lines += [b"cfn=" + text, b"calls=%d 2" % (i + 1), b"3 %d" % (100 * (i + 1) + extra)]
        total = 10
        for i, text in enumerate(names):
            lines += [b"", b"fl=" + text[:200], b"fn=" + text, b"%d %d" % (i + 1, 100 * (i + 1) + extra)]
            total += 100 * (i + 1) + extra
        path = folder / name
        path.write_bytes(b"\n".join([*lines, b"", b"totals: %d" % total, b""]))
        paths.append(path)
    return paths


def little_profiles(folder):
    """A profile of nothing, one without calls, and one of the same functions with calls."""
    head, functions = "version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\n\n", range(12)
    plain = "".join(f"fn=f{i}\n{i + 1} {100 + i}\n\n" for i in functions)
    calls = "fn=f0\n1 100\n" + "".join(f"cfn=f{i}\ncalls=2 {i + 1}\n1 {140 + i}\n" for i in functions[1:]) + "\n" + "".join(f"fn=f{i}\n{i + 1} {140 + i}\n\n" for i in functions[1:])
    totals = {"nothing": 0, "plain": sum(100 + i for i in functions), "calls": 100 + sum(140 + i for i in functions[1:])}
    paths = []
    for name, body in (("nothing", ""), ("plain", plain), ("calls", calls)):
        paths.append(folder / f"{name}.out")
        paths[-1].write_text(head + body + f"totals: {totals[name]}\n")
    return paths


def hostile_results(folder):
    def results(extra):
        yield from (result(["group " + text[:300], text], 1000 + 10 * i + extra, task={"stmt": text, "setup": text}, notes=[text]) for i, text in enumerate(HOSTILE))
        yield {"label": ["failed", HOSTILE[0]], "counts": [], "status": "threw", "error": HOSTILE[2], "details": HOSTILE[1]}
    base = save_results(folder / "hostile-base.icount", results(0), [("compiler", HOSTILE[0], "name"), (HOSTILE[2], "1", "name")])
    return base, save_results(folder / "hostile-head.icount", results(3), [("compiler", HOSTILE[1], "name")])


def many_results(folder, n):
    """An empty result; then two of n benchmarks and one that is gone: every 20th costs more, the one after it less; see MANY_VERDICTS."""
    empty = save_results(folder / "empty.icount", [])

    def cost(i, head):
        return 10_000 + 37 * i + (0 if not head or i % 20 > 1 or i >= n - 3 else (250 + i) * (1 if i % 20 == 0 else -1))

    def side(head):
        results = [result([f"group {i // 100}", f"bench {i}"], cost(i, head)) for i in range(n - 3)]
        results += [{"label": [f"group {i // 100}", f"bench {i}"], "counts": [], "status": "timed-out", "error": "over 60 s"} for i in (n - 3, n - 2)]
        return results + [result([f"group {(n - 1) // 100}", f"bench {n - 1}"] if head else ["gone"], 777)]
    return empty, save_results(folder / "many-base.icount", side(False)), save_results(folder / "many-head.icount", side(True))


def history_results(folder):
    values = [101_000, 101_100, 101_050, 99_000, 99_010, 99_000, 104_500, 104_500]
    files = [save_results(folder / f"v1.{i}.icount", [result(["Math", "add"], value)], [("compiler", "g++ 12", "name")]) for i, value in enumerate(values)]
    return files, values


def plot_files(folder):
    """A Fuzzer run of two statements, and timings of three statements in two columns."""
    points = []
    for i in range(FUZZ_SAMPLES):
        elements = 16 * (1 + i * i) * (1 + i % 3)
        cost = 900 + 3.5 * elements ** (0.8 + 0.01 * (i % 5))
        points.append({"sample": i, "elements": elements, "shape": f"x {1 + i} x {16 * (1 + i)} float32; y {16 * (1 + i)} float32, steps 1 2", "params": {},
                       "cost": {"per_run": cost, "status": "done"}, "against": {"per_run": cost * (0.85 + 0.005 * i), "status": "done"}})
    fuzz = folder / "fuzz.json"
    fuzz.write_text(json.dumps({"schema": {"name": "icount-fuzz", "version": 1}, "stmt": "torch::add(x, y)", "against": "x + y", "source": "binary corrected small float32", "seed": "0",
                                "number": 100, "unit": "instructions", "circumstances": "c++", "rejection_rate": 0.5, "points": points}))
    lines = [{"schema": {"name": "icount-measurements", "version": 1}}]
    for i, stmt in enumerate(("x + y", "torch::matmul(x, y)", "x.sin()")):
        for j, column in enumerate(("main", "branch")):
            times = [100 * (2e-6 * (i + 1) * (1 - 0.12 * j) * (1 + 0.002 * ((k * 7) % 23))) for k in range(40)]
            spec = {"stmt": stmt, "setup": "", "global_setup": "", "label": "Pointwise", "sub_label": stmt, "description": column, "env": None, "num_threads": 1}
            lines.append({"task_spec": spec, "number_per_run": 100, "raw_times": times, "metadata": {"instructions_per_run": 5200 * (i + 1) * (1 - 0.1 * j)}})
    timings = folder / "times.json"
    timings.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return fuzz, timings


def deep_profiles(folder, n):
    """A call tree of n functions, each called once by its parent: as many frames as functions, exactly."""
    parent = [max(0, (i - 1) // 3) if i % 11 else max(0, i - 1) for i in range(n)]
    paths = []
    for name in ("deep-base.out", "deep-head.out"):
        own = [50 + i % 83 + (9 * (i % 5) if name == "deep-head.out" and i % 7 == 0 else 0) for i in range(n)]
        below = own[:]
        for i in range(n - 1, 0, -1):
            below[parent[i]] += below[i]
        children = [[] for _ in range(n)]
        for i in range(1, n):
            children[parent[i]].append(i)
        lines = ["version: 1", "creator: callgrind-3.19.0", "cmd: deep", "positions: line", "events: Ir", "", "ob=deep", "fl=deep.cc"]
        for i in range(n):
            lines += [f"fn=node_{i}", f"1 {own[i]}"]
            for child in children[i]:
                lines += [f"cfn=node_{child}", "calls=1 1", f"2 {below[child]}"]
        path = folder / name
        path.write_text("\n".join([*lines, "", f"totals: {sum(own)}", ""]))
        paths.append(path)
    return paths
