"""What is true of a pair of profiles, in figures: a plain reader of Callgrind's files, and the facts that scripts/make-pairs writes into cause.json.

Knows nothing of icount, whose explanations are judged by these facts.
"""
import collections, re, sys

GROUPS = ("locks", "allocator", "libc strings")  # icount's names for what many share
CLONES = re.compile(r"( \[clone .*)|(\.(isra|constprop|part|lto_priv|cold)(\.\d+)?)+$|@+GLIBC.*$")


def plain(name):
    """Without recursion level, clone suffix and symbol version."""
    return CLONES.sub("", re.sub(r"'\d+$", "", name))


class Profile:
    """Self cost by function, calls and inclusive cost by edge; recursion levels and clones are added up."""

    def __init__(self, text):
        self.self_cost, self.calls, self.inclusive = collections.Counter(), collections.Counter(), collections.Counter()
        self.object_of = {}
        names, function, callee, call = {}, None, None, None
        objects, ob, cob = {}, "", ""

        def name(field):
            numbered = re.match(r"\((\d+)\)(?: (.*))?$", field)
            if not numbered:
                return plain(field)
            if numbered[2] is not None:
                names[numbered[1]] = plain(numbered[2])
            return names[numbered[1]]

        def object(field):
            numbered = re.match(r"\((\d+)\)(?: (.*))?$", field)
            if numbered and numbered[2] is not None:
                objects[numbered[1]] = numbered[2]
            return objects[numbered[1]] if numbered else field

        for line in text.splitlines():
            if line.startswith("ob="):
                ob = cob = object(line[3:])
            elif line.startswith("cob="):
                cob = object(line[4:])
            elif line.startswith("fn="):
                function = name(line[3:])
                self.object_of[function] = ob
            elif line.startswith("cfn="):
                callee = name(line[4:])
                self.object_of.setdefault(callee, cob)
                cob = ob
            elif line.startswith("calls="):
                call = int(line[6:].split()[0])
            elif function and re.match(r"[0-9+*-]", line):
                cost = int((line.split() + ["0"])[1])
                if call is None:
                    self.self_cost[function] += cost
                else:
                    self.calls[function, callee] += call
                    self.inclusive[function, callee] += cost
                    call = None
        self.total = sum(self.self_cost.values())

    def resolve(self, pattern, others):
        """The one function of this name, with or without its parameters, or of this prefix, if that ends in '*'; None: there is none."""
        every = set(self.self_cost) | set(others.self_cost)
        every |= {side for profile in (self, others) for edge in profile.calls for side in edge}
        if pattern in every:
            return pattern
        if pattern.endswith("*"):
            found = sorted(f for f in every if f.startswith(pattern[:-1]))
        else:
            found = sorted(f for f in every if re.sub(r"(\[abi:\w+\])?(<.*>)?\(.*", "", f).split(" ")[-1] == pattern or f.startswith(pattern + "("))
        if not found:
            return None
        if len(found) > 1:
            sys.exit(f"the name {pattern} fits {len(found)} functions: {found[:8]}")
        return found[0]


def allocator_cost(profile, objects):
    """What allocators cost themselves: the libraries' functions, and the C library's malloc."""
    of_c = {"malloc", "free", "calloc", "realloc", "_int_malloc", "_int_free", "malloc_consolidate", "unlink_chunk", "sysmalloc", "ptmalloc_init"}
    inside = lambda name: name in of_c or any(part in profile.object_of.get(name, "") for part in objects)
    return sum(cost for name, cost in profile.self_cost.items() if inside(name))


def changed_edges(base, head):
    return [(edge, head.inclusive[edge] - base.inclusive[edge]) for edge in sorted(set(base.calls) | set(head.calls))]


def with_chief_caller(answer, base, head):
    """A sum over all callers may as well be said of the one caller that carries nine tenths of it."""
    yield answer
    if answer and "function" in answer:
        for edge, change in changed_edges(base, head):
            if edge[1] == answer["function"] != edge[0] and change and 0.9 <= change / answer["delta"] <= 1.1:
                yield {"caller": edge[0], "callee": edge[1], "delta": change}


def answer_with_figures(answer, base, head):
    """The names in full, and the recorded change that the answer must state."""
    full = {}
    for key in ("function", "caller", "callee"):
        if key in answer:
            full[key] = answer[key] if answer[key] in GROUPS else base.resolve(answer[key], head)
            if full[key] is None:
                return None  # inlined: another of the answers holds
    for key in ("whole", "nothing"):
        if key in answer:
            full[key] = answer[key]
    if "delta" in answer:
        full["delta"] = answer["delta"]
    elif answer.get("measure") == "self":
        parts = [name for one in answer["of"] if (name := base.resolve(one, head))]
        full["delta"] = sum(head.self_cost[name] - base.self_cost[name] for name in parts)
    elif answer.get("measure") == "total" or "whole" in full:
        full["delta"] = head.total - base.total
    elif "caller" in full and "of" in answer:
        callees = [name for one in answer["of"] if (name := base.resolve(one, head))]
        full["delta"] = sum(change for edge, change in changed_edges(base, head) if edge[0] == full["caller"] and edge[1] in callees)
    elif "caller" in full:
        edge = full["caller"], full["callee"]
        full["delta"] = head.inclusive[edge] - base.inclusive[edge]
    elif answer.get("measure") == "allocators":
        full["delta"] = allocator_cost(head, answer["of"]) - allocator_cost(base, answer["of"])
    elif answer.get("measure") == "callers":
        called = [name for one in answer.get("of", [full["function"]]) if (name := base.resolve(one, head))]
        full["delta"] = sum(change for edge, change in changed_edges(base, head) if edge[1] in called and edge[0] not in called)
    elif "function" in full:
        full["delta"] = head.self_cost[full["function"]] - base.self_cost[full["function"]]
    if "why" in answer:
        full["why"] = answer["why"]
    return full


def describe(pair, origin, base, head):
    right = []
    for answer in pair["right"]:
        full = answer_with_figures(answer, base, head)
        if full and ("nothing" in full or full["delta"]):
            more = with_chief_caller(full, base, head) if answer.get("measure") == "callers" else [full]
            right += [one for one in more if one not in right]
    if not right:
        sys.exit(f"{pair['name']}: no answer is left, the names are inlined")
    functions, edges = [], []
    for answer in right:
        if "caller" in answer:
            edge = answer["caller"], answer["callee"]
            edges.append({"caller": edge[0], "callee": edge[1], "calls_base": base.calls[edge], "calls_head": head.calls[edge],
                          "inclusive_base": base.inclusive[edge], "inclusive_head": head.inclusive[edge]})
        elif "function" in answer:
            name = answer["function"]
            functions.append({"function": name, "self_base": base.self_cost[name], "self_head": head.self_cost[name],
                              "delta": head.self_cost[name] - base.self_cost[name]})
    one_sided = []
    for caller, callee in pair.get("edges", []):
        edge = base.resolve(caller, head), base.resolve(callee, head)
        if bool(base.calls[edge]) == bool(head.calls[edge]):
            sys.exit(f"{pair['name']}: the edge {edge} is on both sides, or on none")
        one_sided.append({"caller": edge[0], "callee": edge[1], "delta": head.inclusive[edge] - base.inclusive[edge]})
    for edge in edges:
        on_both_sides = all(edge["caller"] in profile.self_cost for profile in (base, head))
        if on_both_sides and edge["caller"] != edge["callee"] and (edge["calls_base"] == 0) != (edge["calls_head"] == 0):
            known = {"caller": edge["caller"], "callee": edge["callee"], "delta": edge["inclusive_head"] - edge["inclusive_base"]}
            if known not in one_sided:
                one_sided.append(known)
    return {"name": pair["name"], "program": origin, "kind": pair["kind"], "what": pair["what"],
            "note": pair.get("note", "written before any tool saw the pair"), "event": "Ir",
            "total_base": base.total, "total_head": head.total, "delta": head.total - base.total,
            "expected_functions": functions, "expected_edges": edges, "right": right, "edges": one_sided}
