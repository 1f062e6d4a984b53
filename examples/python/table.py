"""Writes the conformance table of a subject from the JSON of a run.

    python3 table.py RESULT.json FACTS.json > table.md

FACTS.json says of each claim that the subject is known to miss why it does ("refuted", and from an effort on
"refuted_at_standard" and "refuted_at_deep"; at less it may be), and in brief of an area of claims why ("areas") and
what the subject lacks there ("lacks"). The exit code is 1 if another claim is refuted, or one of these is not.
"""
import json
import math
import re
import sys
from collections import defaultdict


def measured(claim):
    """Of each check a refuted test: over all configurations where its unit is a variance, else the worst one."""
    worst = {}
    for test in claim["pooled"] + claim["configurations"]:
        if test["verdict"] != "REFUTED" or (test["configuration"] == "pooled" and test["expected"] != 1):
            continue
        best = worst.setdefault(test["check"], test)
        if test["law"] == "bound" and excess(test) > excess(best):
            worst[test["check"]] = test
    return "; ".join(f"{check}: {seen(test)}" for check, test in list(worst.items())[:3])


def excess(test):
    """Error over tolerance, infinite where the error is not finite."""
    error, allowed = float(test["error_u"]), float(test["tolerance_u"])
    return error / allowed if math.isfinite(error) and allowed > 0 else math.inf


def seen(test):
    at = "" if test["configuration"] == "pooled" else f" at {test['configuration']}"
    if test["law"] == "bound":
        text = re.sub(r" \(-?0x[^)]*\)", "", test["where"]) or "does not hold"
        error, allowed = test["error_u"], test["tolerance_u"]
        size = f", {number(error)} roundoffs of {number(allowed)}" if allowed and error != "nan" else ""
        return text + size + at
    estimate, expected = test["estimate"], test["expected"]
    if isinstance(estimate, str) or not expected:
        return f"{number(estimate)} for {number(expected)}{at}"
    return f"{number(estimate)} for {number(expected)} (×{number(estimate / expected)}){at}"


def number(value):
    return value if isinstance(value, str) else f"{value:.4g}"


def by_area(claims, facts):
    """One line an area: how many claims hold, do not, do not apply; and why not."""
    print("| area | verified | refuted | not applicable | why |\n|---|---|---|---|---|")
    count = defaultdict(lambda: defaultdict(int))
    for claim in claims:
        for area in (claim["id"].split(".")[0], "all"):
            count[area][claim["verdict"]] += 1
    for area in sorted(count, key=lambda name: (name == "all", name)):
        numbers = [str(count[area][v] or "") for v in ("VERIFIED", "REFUTED", "NOT_APPLICABLE")]
        why = [facts.get("areas", {}).get(area, "")] if count[area]["REFUTED"] else []
        if count[area]["NOT_APPLICABLE"] and area in facts.get("lacks", {}):
            why.append("lacks " + facts["lacks"][area])
        print(f"| {area} | {' | '.join(numbers)} | {cell('; '.join(filter(None, why)))} |")
    print()


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def main():
    result = json.load(open(sys.argv[1]))
    facts = json.load(open(sys.argv[2]))
    # A longer run sees smaller effects, and rarer ones that a shorter run may meet by chance.
    efforts = ["quick", "standard", "deep"]
    certain = set(facts["refuted"])
    known = dict(facts["refuted"])
    for effort in efforts[1:]:
        more = facts.get(f"refuted_at_{effort}", {})
        known |= more
        if efforts.index(effort) <= efforts.index(result["run"]["effort"]):
            certain |= set(more)
    groups = defaultdict(list)
    for claim in result["claims"]:
        groups[claim["verdict"]].append(claim)
    run = result["run"]
    print(f"# Conformance of {facts['name']}\n")
    print(f"Produced by `examples/python/table.py` from a run of {len(result['claims'])} claims at effort "
          f"{run['effort']}, seed {run['seed']}: "
          + ", ".join(f"{len(groups[v])} {v}" for v in sorted(groups)) + ".\n")
    print("## By area\n")
    by_area(result["claims"], facts)
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
    wrong = sorted((refuted - set(known)) | ((certain & asked) - refuted))
    wrong += [c["id"] for v in ("UNTRUSTED", "BROKEN", "INCONCLUSIVE") for c in groups[v]]
    if wrong:
        print("not as recorded: " + ", ".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
