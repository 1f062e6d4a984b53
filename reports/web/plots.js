// The plots, made from the page's data alone. A plot whose claims are not in the result is left out.
"use strict";
(async () => {
  const { report, cell } = window.rootdk;
  const ink = "currentColor";
  const faint = "rgba(128,128,128,.22)";
  // Distinct in light and dark and for colour-blind readers (Okabe and Ito), also by shape.
  const palette = ["#0b84d8", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#7a5cc9"];
  const config = {
    background: "transparent", font: "system-ui, sans-serif", view: { stroke: faint },
    axis: { labelColor: ink, titleColor: ink, domainColor: faint, tickColor: faint, gridColor: faint,
      labelFontSize: 11, titleFontSize: 12, titleFontWeight: "normal" },
    legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, orient: "top", title: null, labelLimit: 300 },
    header: { labelColor: ink, titleColor: ink, labelFontSize: 12, labelFontWeight: "bold" },
    range: { category: palette },
  };

  const rows = (claim) => [...Array(claim.tests.count).keys()].map((i) => {
    const row = { claim: claim.id };
    for (const key of ["check", "law", "expected", "estimate", "low", "high", "verdict"]) {
      row[key] = cell(claim.tests[key], i);
    }
    for (const [name, column] of Object.entries(claim.tests.fields)) row[`at_${name}`] = cell(column, i);
    return row;
  });
  const under = (family) => report.claims.filter((c) => c.id === family || c.id.startsWith(`${family}.`));
  const room = () => Math.min(document.querySelector(".figures").clientWidth, 1240);
  const number = (x) => typeof x === "number" && Number.isFinite(x);
  const logarithmic = (values) => {
    const seen = values.filter(number);
    return seen.length > 0 && seen.every((v) => v > 0) && Math.max(...seen) > 30 * Math.min(...seen);
  };
  const tooltip = (...fields) => fields.map(([field, title]) => ({ field, title }));

  // ---- variance against d_k ----
  function variance() {
    const data = [];
    const families = under("scaling.variance");
    for (const claim of families.length ? families : [...under("scores.variance"), ...under("scores.scaled_variance")]) {
      const scheme = claim.id.startsWith("scaling.variance.") ? claim.id.slice(17) : claim.id;
      const here = rows(claim).filter((r) => number(r.at_d_k) && r.estimate > 0 && r.expected > 0);
      const named = here.filter((r) => r.check === "variance");
      const kept = (named.length ? named : here.filter((r) => r.law === "chi_squared" && r.check === here[0].check))
        .sort((a, b) => a.at_d_k - b.at_d_k);
      // The claim is a line where it is a function of d_k that rises or falls, else a mark a test.
      const runs = (sign) => kept.every((r, i) => i === 0 || sign * (r.expected - kept[i - 1].expected) >= 0);
      const line = runs(1) || runs(-1);
      for (const r of kept) data.push({ ...r, scheme, line });
    }
    if (data.length === 0) return null;
    const schemes = new Set(data.map((d) => d.scheme)).size;
    const columns = Math.max(1, Math.min(schemes, Math.floor(room() / 250)));
    const x = { field: "at_d_k", type: "quantitative", scale: { type: "log", nice: false }, title: "d_k", axis: { tickCount: 4, format: "~s" } };
    const format = logarithmic(data.map((d) => d.estimate)) ? "~e" : "~g";
    const y = (field) => ({ field, type: "quantitative", scale: { type: "log", nice: false }, title: "variance", axis: { tickCount: 4, format } });
    const claimed = [
      { transform: [{ filter: "datum.line" }], mark: { type: "line", color: palette[1], strokeWidth: 1.5 }, encoding: { x, y: y("expected") } },
      { transform: [{ filter: "!datum.line" }], mark: { type: "tick", orient: "horizontal", color: palette[1], size: 8, thickness: 1.5 }, encoding: { x, y: y("expected") } },
    ].filter((_, i) => data.some((d) => d.line === (i === 0)));
    return {
      title: "Variance of the scores against d_k", full: true,
      caption: "Estimate with its interval in each configuration; orange: what is claimed, a line where it depends on d_k alone.",
      spec: { data: { values: data }, facet: { field: "scheme", title: null }, columns,
        spec: { width: Math.max(150, Math.floor(room() / columns) - 80), height: 150, layer: [
          ...claimed,
          { transform: [{ filter: "datum.low > 0" }], mark: { type: "rule", color: palette[0], opacity: .6 }, encoding: { x, y: y("low"), y2: { field: "high" } } },
          { mark: { type: "circle", color: palette[0], size: 14, opacity: .9 }, encoding: { x, y: y("estimate"),
            tooltip: tooltip(["at_d_k", "d_k"], ["estimate", "estimate"], ["expected", "claimed"], ["low", "from"], ["high", "to"]) } },
        ] } },
    };
  }

  // ---- curves of the record ----
  const captions = {
    "score density": ["The scaled score on its exact density", "Given q, a score is normal; its density is the mixture over the length of q."],
    "attention": ["Attention against d_k, scaled and not", "Mean entropy of the softmax over ln n, and the gradient that reaches the scores and the query, for a cotangent of independent N(0, 1) entries at the weights."],
    "depth": ["Variance and gradient against depth", "Pre-norm, post-norm and a plain stack of linear layers; gradient at the input for a cotangent of independent N(0, 1) entries at the output."],
  };
  function curves() {
    const figures = new Map();
    for (const claim of report.claims) {
      for (const s of claim.series) {
        const [figure, panel, curve] = [...s.name.split(" | "), s.name, s.name].slice(0, 3);
        if (!figures.has(figure)) figures.set(figure, new Map());
        const panels = figures.get(figure);
        if (!panels.has(panel)) panels.set(panel, { x: s.x_label, y: s.y_label, values: [] });
        s.x.forEach((x, i) => panels.get(panel).values.push(
          { x, y: s.y[i], low: s.low[i] ?? s.y[i], high: s.high[i] ?? s.y[i], curve, plain: s.low.length === 0 }));
      }
    }
    return [...figures].map(([figure, panels]) => {
      const wide = panels.size > 1;
      const across = Math.max(1, Math.min(panels.size, Math.floor(room() / 330)));
      const width = Math.max(200, Math.floor((wide ? room() : Math.min(room(), 600)) / across) - 95);
      const [title, caption] = captions[figure] ?? [figure, ""];
      return { title, caption, full: wide, spec: { columns: across, concat: [...panels].map(([panel, p]) => panelSpec(panel, p, width, wide)) } };
    });
  }
  function panelSpec(panel, p, width, titled) {
    const log = (values) => (logarithmic(values) ? { type: "log", nice: false } : { zero: false });
    const yScale = log(p.values.flatMap((v) => [v.y, v.low]));
    const x = { field: "x", type: "quantitative", title: p.x, scale: log(p.values.map((v) => v.x)), axis: { tickCount: 6, format: "~s" } };
    const yAxis = { tickCount: 6, format: yScale.type ? "~e" : "~g" };
    const y = { field: "y", type: "quantitative", title: p.y, scale: yScale, axis: yAxis };
    const color = { field: "curve", type: "nominal", legend: { columns: width < 300 ? 2 : 4 } };
    return { ...(titled ? { title: { text: panel, color: ink, fontSize: 13 } } : {}), width, height: 220, data: { values: p.values }, layer: [
      { transform: [{ filter: "!datum.plain" }], mark: { type: "rule", opacity: .8 }, encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color } },
      { transform: [{ filter: "!datum.plain" }], mark: { type: "point", filled: true, size: 26 }, encoding: { x, y, color, shape: { field: "curve", legend: null },
        tooltip: tooltip(["curve", "curve"], ["x", p.x], ["y", p.y]) } },
      { mark: { type: "line", strokeWidth: 1.3 }, encoding: { x, y, color } },
    ] };
  }

  // ---- all first looks ----
  function funnel() {
    const { count, outside, claim, nu, score } = report.looks;
    if (count < 10) return null;
    const all = score.map((z, i) => ({ z, nu: nu[i], claim: report.claims[claim[i]].id }));
    const limit = (v, dash) => ({ data: { values: [{ v }, { v: -v }] }, mark: { type: "rule", strokeDash: dash, color: palette[1] }, encoding: { y: { field: "v", type: "quantitative" } } });
    return {
      title: "Funnel: (estimate − claimed) / standard error",
      caption: `${count} exact tests at their first look, whose size is fixed before anything is drawn${all.length < count ? `, ${all.length} of them shown` : ""}. ${outside} lie outside ±1.96, where 5 % (${Math.round(.05 * count)}) are expected; dashed: ±1.96 and ±3.29.`,
      spec: { width: Math.max(220, Math.min(room(), 600) - 80), height: 260, layer: [
        limit(1.96, [6, 3]), limit(3.29, [2, 3]),
        { data: { values: all }, mark: { type: "circle", size: 14, opacity: .55, color: palette[0] }, encoding: {
          x: { field: "nu", type: "quantitative", scale: { type: "log", nice: false }, title: "degrees of freedom", axis: { tickCount: 5, format: "~s" } },
          y: { field: "z", type: "quantitative", title: "normal score" },
          tooltip: tooltip(["claim", "claim"], ["z", "score"], ["nu", "ν"]) } },
      ] },
    };
  }
  function pValues() {
    const { count, u, p } = report.looks;
    if (count < 10) return null;
    const band = Math.sqrt(Math.log(2 / .01) / (2 * count));
    const values = p.map((v, i) => ({ p: v, u: u[i] }));
    const corners = [0, 1].map((u) => ({ u, low: u - band, high: u + band }));
    const x = { field: "u", type: "quantitative", title: "uniform quantile", scale: { domain: [0, 1] } };
    const y = (field) => ({ field, type: "quantitative", title: "p-value", scale: { domain: [0, 1] } });
    return {
      title: "p-values against the uniform law",
      caption: `${count} exact tests at their first look. Band: 99 % for independent p-values (DKW).`,
      spec: { width: Math.max(220, Math.min(room(), 600) - 80), height: 260, layer: [
        { data: { values: corners }, mark: { type: "area", clip: true, color: palette[0], opacity: .18 }, encoding: { x, y: y("low"), y2: { field: "high" } } },
        { data: { values: corners }, mark: { type: "line", color: palette[1], strokeDash: [4, 3] }, encoding: { x, y: y("u") } },
        { data: { values }, mark: { type: "line", color: palette[0], strokeWidth: 2 }, encoding: { x, y: y("p") } },
      ] },
    };
  }

  // ---- what was measured of the suite ----
  function kill() {
    const values = (report.defects?.defects ?? []).flatMap((d) => [
      ...(d.by ?? []).map((claim) => ({ defect: d.id, claim, seen: "refutes it" })),
      ...(d.missed ?? []).map((claim) => ({ defect: d.id, claim, seen: "should, and does not" }))]);
    if (values.length === 0) return null;
    const [claims, defects] = [new Set(values.map((v) => v.claim)).size, new Set(values.map((v) => v.defect)).size];
    const size = Math.max(9, Math.min(16, Math.floor((room() - 330) / claims)));
    return { spec: { data: { values }, width: { step: size }, height: { step: 14 }, mark: { type: "rect", stroke: "transparent" }, encoding: {
      x: { field: "claim", type: "nominal", title: `${claims} claims`, axis: { labelAngle: -60, labelLimit: 260, labelFontSize: 10, labelOverlap: "greedy" } },
      y: { field: "defect", type: "nominal", title: `${defects} defects`, axis: { labelLimit: 260, labelFontSize: 10, labelOverlap: false } },
      color: { field: "seen", type: "nominal", scale: { domain: ["refutes it", "should, and does not"], range: [palette[0], palette[1]] } },
      tooltip: tooltip(["defect", "defect"], ["claim", "claim"], ["seen", "outcome"]) } } };
  }
  function calibration() {
    const values = (report.calibration?.families ?? []).flatMap((f) => ["alpha", "beta"].map((rate) => ({
      family: f.family, rate: rate === "alpha" ? "α" : "β", declared: f[rate]?.declared, measured: f[rate]?.measured })))
      .filter((v) => v.declared > 0 && v.measured > 0);
    if (values.length === 0) return null;
    const ends = [Math.min(...values.map((v) => v.declared)) / 2, Math.max(...values.map((v) => v.declared)) * 2];
    const scale = { type: "log", nice: false };
    const axis = { tickCount: 5, format: "~e" };
    return { spec: { width: Math.max(220, Math.min(room(), 620) - 80), height: 280, layer: [
      { data: { values: ends.map((v) => ({ v })) }, mark: { type: "line", color: palette[1], strokeDash: [4, 3] }, encoding: {
        x: { field: "v", type: "quantitative", scale, axis, title: "declared" }, y: { field: "v", type: "quantitative", scale, axis, title: "measured" } } },
      { data: { values }, mark: { type: "point", filled: true, size: 60 }, encoding: {
        x: { field: "declared", type: "quantitative", scale }, y: { field: "measured", type: "quantitative", scale },
        color: { field: "rate", type: "nominal" }, shape: { field: "rate", type: "nominal" },
        tooltip: tooltip(["family", "family"], ["rate", "rate"], ["declared", "declared"], ["measured", "measured"]) } },
    ] } };
  }

  // ---- drawing ----
  const options = { actions: false, renderer: "svg", config, tooltip: { theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light" } };
  async function draw(figure, plot) {
    const target = document.createElement("div");
    target.className = "plot";
    if (plot.title) figure.append(Object.assign(document.createElement("h3"), { textContent: plot.title }));
    figure.append(target);
    if (plot.caption) figure.append(Object.assign(document.createElement("figcaption"), { textContent: plot.caption }));
    await vegaEmbed(target, { $schema: "https://vega.github.io/schema/vega-lite/v5.json", ...plot.spec }, options);
    await new Promise((resume) => setTimeout(resume));
  }
  document.querySelector("#plots .without").hidden = true;
  const drawn = [];
  try {
    for (const plot of [variance(), ...curves(), funnel(), pValues()].filter(Boolean)) {
      const figure = document.createElement("figure");
      if (plot.full) figure.className = "full";
      document.querySelector(".figures").append(figure);
      await draw(figure, plot);
      drawn.push(plot.title);
    }
    for (const [name, make] of [["kill", kill], ["calibration", calibration]]) {
      const figure = document.querySelector(`[data-plot=${name}]`);
      const plot = figure && make();
      if (plot) await draw(figure, plot);
    }
    if (drawn.length === 0) document.querySelector("#plots").hidden = true;
  } catch (error) {
    // A policy that forbids compiled expressions, or a defect of ours: the page is whole without.
    const note = document.createElement("p");
    note.textContent = `Plots could not be drawn: ${error.message}`;
    document.querySelector("#plots").append(note);
    document.documentElement.dataset.plotError = error.message;
  }
  document.documentElement.dataset.ready = "all";
})();
