"""Writes the conformance table of a subject from the JSON of a run.

    python3 table.py RESULT.json FACTS.json > table.md

FACTS.json says of each claim that the subject is known to miss why it does; the exit code is 1 if another one
is refuted, or one of these is not.
"""
import json
import re
import sys
from collections import defaultdict


def measured(claim):
    """The first refuted test of each check: over all configurations where its unit is a variance, else in one."""
    worst = {}
    for test in claim["pooled"] + claim["configurations"]:
        if test["verdict"] == "REFUTED" and (test["configuration"] != "pooled" or test["expected"] == 1):
            worst.setdefault(test["check"], test)
    return "; ".join(f"{check}: {seen(test)}" for check, test in list(worst.items())[:3])


def seen(test):
    at = "" if test["configuration"] == "pooled" else f" at {test['configuration']}"
    if test["law"] == "bound":
        text = re.sub(r" \(-?0x[^)]*\)", "", test["where"]) or "does not hold"
        return text + at
    estimate, expected = test["estimate"], test["expected"]
    if isinstance(estimate, str) or not expected:
        return f"{number(estimate)} for {number(expected)}{at}"
    return f"{number(estimate)} for {number(expected)} (×{number(estimate / expected)}){at}"


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
