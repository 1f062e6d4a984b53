"""Writes the conformance table of a subject from the JSON of a run.

    python3 table.py RESULT.json FACTS.json > table.md

FACTS.json says of each claim that the subject is known to miss why it does; the exit code is 1 if another one
is refuted, or one of these is not.
"""
import json
import sys
from collections import defaultdict


def measured(claim):
    """The test that speaks most clearly: a refuted one, of many configurations rather than of one."""
    tests = claim["pooled"] + claim["configurations"]
    refuted = [t for t in tests if t["verdict"] == "REFUTED"]
    worst = {}
    for test in refuted:
        worst.setdefault(test["check"], test)
    texts = []
    for check, test in worst.items():
        where = test["configuration"]
        if test["law"] == "bound":
            seen = test["where"].split(" (0x")[0] or "false"
            texts.append(f"{check}: {seen}" + ("" if where == "pooled" else f" at {where}"))
        elif where == "pooled":
            sign = "×" if test["expected"] == 1 else ""
            texts.append(f"{check}: {sign}{number(test['estimate'])}, expected {number(test['expected'])}")
        else:
            texts.append(f"{check}: {number(test['estimate'])}, expected {number(test['expected'])} at {where}")
    return "; ".join(texts[:3])


def number(value):
    return value if isinstance(value, str) else f"{value:.4g}"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def main():
    result = json.load(open(sys.argv[1]))
    facts = json.load(open(sys.argv[2]))
    known = facts["refuted"]
    if result["run"]["effort"] != "quick":  # an effect below what quick sees
        known |= facts.get("refuted_at_standard", {})
    groups = defaultdict(list)
    for claim in result["claims"]:
        groups[claim["verdict"]].append(claim)
    run = result["run"]
    print(f"# Conformance of {facts['name']}\n")
    print(f"Produced by `examples/python/table.py` from a run of {len(result['claims'])} claims at effort "
          f"{run['effort']}, seed {run['seed']}: "
          + ", ".join(f"{len(groups[v])} {v}" for v in sorted(groups)) + ".\n")
    print("## What it does otherwise\n\n| claim | measured | why |\n|---|---|---|")
    for verdict in ("REFUTED", "UNTRUSTED", "BROKEN", "INCONCLUSIVE"):
        for claim in groups[verdict]:
            seen = measured(claim) if verdict == "REFUTED" else claim["reason"]
            why = known.get(claim["id"], "")
            print(f"| `{claim['id']}` {verdict} | {cell(seen)} | {cell(why)} |")
    print("\n## What it does as stated\n\n| claim | statement |\n|---|---|")
    for claim in groups["VERIFIED"]:
        print(f"| `{claim['id']}` | {cell(claim['statement'])} |")
    print("\n## What does not apply\n\n| reason | claims |\n|---|---|")
    reasons = defaultdict(list)
    for claim in groups["NOT_APPLICABLE"]:
        reasons[claim["reason"]].append(f"`{claim['id']}`")
    for reason, ids in sorted(reasons.items()):
        print(f"| {cell(reason)} | {', '.join(ids)} |")
    refuted = {claim["id"] for claim in groups["REFUTED"]}
    asked = {claim["id"] for claim in result["claims"]}
    wrong = sorted(refuted ^ (set(known) & asked))
    wrong += [c["id"] for v in ("UNTRUSTED", "BROKEN", "INCONCLUSIVE") for c in groups[v]]
    if wrong:
        print("not as recorded: " + ", ".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
