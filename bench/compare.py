"""Runs the library beside its peers on the same work, in turns, and writes ratios.

usage: compare.py BUILD_DIRECTORY [--rounds N] [--runs N] [--out FILE.json] [--only NAME ...]

Each round runs every work once on our side and once on the peer's, one after the other, so that
whatever else the machine does falls on both. Times are processor times of one thread but where said;
a ratio is peer's median over our median: above 1 ours is faster.
"""

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

# name: (our work, peer, the peer's work, bar, what is done)
RATIOS = {
    "verify_variance_vs_numpy_naive": (
        ["verify_variance"], "numpy", ["verify_variance_naive"], 20,
        "decide Var(QKᵀ) = d_k, d_k 64, δ 1 %, α 1e-9, β 1e-6, against independent pairs"),
    "verify_variance_vs_numpy_blocked": (
        ["verify_variance"], "numpy", ["verify_variance_blocked"], 3,
        "the same two exact tests in numpy, blocks and matmul, of a fixed size; ours may stop early"),
    "gradcheck_vs_torch_slow": (
        ["gradcheck"], "torch", ["gradcheck_slow"], 30,
        "attention n 32, d 64, by Q, K, V: ours at 50 digits, gradcheck in float64"),
    "gradcheck_double_vs_torch_fast": (
        ["gradcheck_double"], "torch", ["gradcheck_fast"], 3,
        "the same: dot identity in double, gradcheck in fast_mode"),
    "attention_fwd_bwd_vs_torch": (
        ["attention_f64", "attention_f32"], "torch", ["attention_f64", "attention_f32"], 1.0,
        "h 8, n 256, d 64, forward and backward, float64 and float32, the worse of the two"),
    "normals_vs_numpy": (
        ["normals"], "numpy", ["normals"], 1.5, "2²² standard normals, double"),
    "init_draw_vs_torch": (
        ["init_draw"], "torch", ["init_draw"], 4, "4096 × 4096 truncated normal, float"),
}
THREADS_BAR = 1.7
MEMORY_BAR_MB = 300
GROWTH_CLAIMS = r"^gradient\."
ROUND_SECONDS = 0.1  # what one side of one round takes at least


class Side:
    """A process that answers a line with a line."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)
        self.about = self.ask("describe")
        self.repetitions = {}

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # what it said before it ended stands in its output
        answer = self.process.stdout.readline()
        if not answer:
            return {"error": "ended without an answer"}
        return json.loads(answer)

    def seconds(self, work):
        """One round of a work: seconds a repetition, and the value."""
        if work not in self.repetitions:
            once = self.ask(f"{work} 1")
            if "error" in once:
                raise RuntimeError(once["error"])
            self.repetitions[work] = max(1, math.ceil(ROUND_SECONDS / max(once["seconds"], 1e-6)))
        answer = self.ask(f"{work} {self.repetitions[work]}")
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["seconds"], answer["value"]


def start_peers(environment):
    peers = {}
    for name in ("numpy", "torch"):
        side = Side([sys.executable, str(HERE / "peers.py"), name], environment)
        peers[name] = side
    return peers


def one_ratio(name, ours, peers, rounds):
    our_works, peer_name, peer_works, bar, work = RATIOS[name]
    record = {"name": name, "work": work, "peer_name": peer_name, "unit": "CPU s, one thread",
              "bar": bar}
    peer = peers[peer_name]
    if "error" in peer.about:
        return record | {"skipped": f"no {peer_name}: {peer.about['error']}"}
    worst = None
    for our_work, peer_work in zip(our_works, peer_works):
        times = {"ours": [], "peer": []}
        for _ in range(rounds):
            for key, side, label in (("ours", ours, our_work), ("peer", peer, peer_work)):
                seconds, value = side.seconds(label)
                times[key].append(seconds)
                record.setdefault("values", {})[f"{key} {label}"] = value
        our_time, peer_time = (statistics.median(times[key]) for key in ("ours", "peer"))
        one = {"of": our_work, "ours": our_time, "peer": peer_time,
               "ratio": peer_time / our_time, "rounds": times}
        if len(our_works) > 1:
            record.setdefault("each", []).append(one)
        if worst is None or one["ratio"] < worst["ratio"]:
            worst = one
    return record | worst | {"met": worst["ratio"] >= bar}


def run_command(command, effort, jobs, claims=""):
    """A run of the claims that match: seconds on the clock, peak memory in MB, exit code."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        process = subprocess.Popen([command, "run", "--effort", effort, "--jobs", str(jobs),
                                    "--filter", claims,
                                    "--quiet", "--no-progress", "--json", f"{folder}/result.json"],
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
    return seconds, usage.ru_maxrss / 1000, process.returncode


def threads_and_memory(command, rounds, effort):
    """threads_2_vs_1, and peak memory by effort."""
    record = {"name": "threads_2_vs_1", "work": f"{effort} run, 2 threads against 1",
              "peer_name": "one thread", "unit": "s on the clock", "bar": THREADS_BAR}
    memory = {"unit": "MB, peak resident", "bar": MEMORY_BAR_MB}
    seconds, peak, code = run_command(command, "quick", 2)
    memory["quick"] = peak
    # Deep judges ten times the configurations of standard.
    memory["growth"] = {"claims": GROWTH_CLAIMS} | {
        name: run_command(command, name, 2, GROWTH_CLAIMS)[1] for name in ("standard", "deep")}
    if (os.cpu_count() or 1) < 2:
        return record | {"skipped": "the machine has one core"}, memory
    times = {"ours": [], "peer": []}
    for _ in range(rounds):
        for key, jobs in (("ours", 2), ("peer", 1)):
            seconds, peak, code = run_command(command, effort, jobs)
            if code != 0:
                record["exit"] = code
            times[key].append(seconds)
            memory[effort] = max(memory.get(effort, 0), peak)
    ours, peer = (statistics.median(times[key]) for key in ("ours", "peer"))
    ratio = peer / ours
    memory["met"] = memory[effort] <= MEMORY_BAR_MB
    return record | {"ours": ours, "peer": peer, "ratio": ratio, "rounds": times,
                     "met": ratio >= THREADS_BAR}, memory


def sampler_share(ours, rounds):
    """Part of the machine's matrix product rate that the sampler reaches."""
    rates = {"product_rate": [], "sampler": []}
    for _ in range(rounds):
        for work, seen in rates.items():
            seconds, flops = ours.seconds(work)
            seen.append(flops / seconds / 1e9)
    product, sampler = (statistics.median(rates[w]) for w in ("product_rate", "sampler"))
    return {"product_gflops": product, "sampler_gflops": sampler, "fraction": sampler / product}


def slope(x, y):
    """Least squares of log y against log x."""
    a, b = [math.log(v) for v in x], [math.log(v) for v in y]
    ma, mb = statistics.fmean(a), statistics.fmean(b)
    return (sum((p - ma) * (q - mb) for p, q in zip(a, b)) / sum((p - ma) ** 2 for p in a))


def growth(ours):
    records = ours.ask("growth")
    for record in records:
        record["slope"] = slope(record["x"], record["y"])
        # At the far end start-up no longer counts.
        record["last_slope"] = slope(record["x"][-2:], record["y"][-2:])
    return records


def machine():
    model = platform.processor() or platform.machine()
    flags = ""
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith("model name"):
                    model = line.split(":", 1)[1].strip()
                if line.startswith("flags"):
                    flags = line
    except OSError:
        pass
    widest = next((n for f, n in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("avx", "AVX"))
                   if f" {f} " in f" {flags} "), "SSE2")
    return {"cpu": model, "cores": os.cpu_count(), "architecture": platform.machine(),
            "simd": widest, "load_before": os.getloadavg()[0], "system": platform.system()}


def pieces(command):
    output = subprocess.run([command, "--benchmark_format=json", "--benchmark_min_time=0.1"],
                            capture_output=True, text=True, check=True).stdout
    keep = ("name", "cpu_time", "time_unit", "items_per_second", "flop/s")
    return [{k: b[k] for k in keep if k in b} for b in json.loads(output)["benchmarks"]]


def plot(records, path):
    """A log-log panel each, as SVG."""
    width, height, margin = 300, 230, 52
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * len(records)}" '
             f'height="{height}" font-family="sans-serif" font-size="11">',
             '<rect width="100%" height="100%" fill="white"/>']
    for panel, record in enumerate(records):
        x = [math.log10(v) for v in record["x"]]
        y = [math.log10(v) for v in record["y"]]

        def place(a, b):
            u = (a - min(x)) / (max(x) - min(x) or 1)
            v = (b - min(y)) / (max(y) - min(y) or 1)
            return (panel * width + margin + u * (width - margin - 20),
                    height - 40 - v * (height - 80))
        points = [place(a, b) for a, b in zip(x, y)]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        left = panel * width + margin
        parts.append(f'<text x="{left}" y="20" font-size="12">{record["name"]}: slope '
                     f'{record["slope"]:.2f}</text>')
        parts.append(f'<polyline points="{line}" fill="none" stroke="#1f77b4" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="#1f77b4"/>' for a, b in points]
        for value, (a, _) in ((record["x"][0], points[0]), (record["x"][-1], points[-1])):
            parts.append(f'<text x="{a:.1f}" y="{height - 22}" text-anchor="middle">{value:g}</text>')
        for value, (_, b) in ((min(record["y"]), place(x[0], min(y))),
                              (max(record["y"]), place(x[0], max(y)))):
            parts.append(f'<text x="{left - 6}" y="{b + 4:.1f}" text-anchor="end">{value:.3g}</text>')
        parts.append(f'<text x="{left + (width - margin - 20) / 2}" y="{height - 6}" '
                     f'text-anchor="middle">{record["x_name"]} → {record["y_name"]}</text>')
    parts.append("</svg>")
    path.write_text("\n".join(parts) + "\n")


def time_text(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            break
    return f"{seconds * factor:.3g} {unit}"


def print_table(result):
    print(f"{'ratio':<34}{'ours':>10}{'peer':>10}{'ratio':>8}{'bar':>6}")
    for r in result["ratios"]:
        if "skipped" in r:
            print(f"{r['name']:<34} skipped: {r['skipped']}")
            continue
        print(f"{r['name']:<34}{time_text(r['ours']):>10}{time_text(r['peer']):>10}"
              f"{r['ratio']:>8.2f}{r['bar']:>6g}{'' if r['met'] else '  missed'}")
        for one in r.get("each", []):
            print(f"  {one['of']:<32}{time_text(one['ours']):>10}{time_text(one['peer']):>10}"
                  f"{one['ratio']:>8.2f}")
    m = result["machine"]
    print(f"\n{m['cores']} cores of {m['cpu']} ({m['architecture']}, {m['simd']}), load "
          f"{m['load_before']:.1f} at the start, medians of {result['rounds']} rounds in turns")
    for p in result["peers"]:
        if "skipped" in p:
            print(f"{p['name']}: skipped, {p['skipped']}")
        else:
            print(f"{p['name']} {p['version']}: {p['blas']}, kernels {p['kernels']}, "
                  f"threads {p['threads']}")
    o = result["ours"]
    print(f"rootdk {o['version']} ({o['compiler']}, {o['flags']}): {o['blas']}, {o['kernels']}, "
          f"threads {o['threads']}")
    if "sampler" in result:
        s = result["sampler"]
        print(f"matrix products {s['product_gflops']:.1f} GFLOP/s; those of the sampler "
              f"{s['sampler_gflops']:.1f}, {100 * s['fraction']:.0f} % of it")
    for g in result.get("growth", []):
        print(f"{g['name']}: slope {g['slope']:.2f}, {g['last_slope']:.2f} at the end "
              f"({g['expected_slope']:g})")
    if "memory" in result:
        mem = result["memory"]
        peaks = ", ".join(f"{k} {mem[k]:.0f} MB" for k in ("quick", "standard") if k in mem)
        growth_of = mem["growth"]
        print(f"peak memory: {peaks} (bar {mem['bar']} MB); of {growth_of['claims']} "
              f"{growth_of['standard']:.0f} MB at standard, {growth_of['deep']:.0f} MB at deep")


def main():
    options = argparse.ArgumentParser(description="The library beside its peers, in turns.")
    options.add_argument("build", type=Path, help="build directory")
    options.add_argument("--rounds", type=int, default=7, help="odd, for a median (default 7)")
    options.add_argument("--runs", type=int, default=3, help="of threads_2_vs_1 (default 3)")
    options.add_argument("--out", type=Path, default=Path("out/bench.json"))
    options.add_argument("--only", nargs="+", metavar="NAME", help="these ratios alone",
                         choices=[*RATIOS, "threads_2_vs_1"])
    given = options.parse_args()
    if given.rounds < 1 or given.runs < 1:
        options.error("--rounds and --runs must be at least 1")
    programs = [given.build / "rootdk", given.build / "bench/rootdk-bench",
                given.build / "bench/rootdk-bench-pieces"]
    for program in programs:
        if not program.exists():
            options.error(f"{program} is not built")
    # One thread each; kernels that a user forces would not be the peer's own choice.
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    environment |= {k: "1" for k in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}

    result = {"schema": "rootdk/bench/1", "machine": machine(), "rounds": given.rounds}
    ours = Side([programs[1]], environment)
    peers = start_peers(environment)
    result["ours"] = ours.about
    result["peers"] = [{"name": name, "skipped": side.about["error"]} if "error" in side.about
                       else side.about for name, side in peers.items()]
    result["ratios"] = []
    for name in RATIOS:
        if given.only and name not in given.only:
            continue
        print(f"… {name}", file=sys.stderr)
        result["ratios"].append(one_ratio(name, ours, peers, given.rounds))
    if not given.only:
        print("… sampler, growth, pieces", file=sys.stderr)
        result["sampler"] = sampler_share(ours, given.rounds)
        result["growth"] = growth(ours)
        result["pieces"] = pieces(programs[2])
    if not given.only or "threads_2_vs_1" in given.only:
        print("… threads_2_vs_1", file=sys.stderr)
        ratio, result["memory"] = threads_and_memory(programs[0], given.runs, "standard")
        result["ratios"].append(ratio)

    given.out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = given.out.with_name(given.out.name + ".part")
    unfinished.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    unfinished.replace(given.out)
    print_table(result)
    written = [str(given.out)]
    if "growth" in result:
        plot(result["growth"], given.out.with_suffix(".svg"))
        written.append(str(given.out.with_suffix(".svg")))
    print("written: " + ", ".join(written))


if __name__ == "__main__":
    main()
