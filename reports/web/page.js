// What the page does beside showing: opens the claim of its address, sets formulas, filters, sorts,
// copies lines, and fills the compact columns when a claim is opened.
"use strict";
(() => {
  const report = JSON.parse(document.getElementById("data").textContent);
  window.rootdk = { report };
  const claims = [...document.querySelectorAll("details.claim")];
  const byId = new Map(report.claims.map((claim) => [claim.id, claim]));

  // ---- formulas ----
  function setFormula(details) {
    const target = details.querySelector(".formula");
    if (!target || target.dataset.set || typeof temml === "undefined") return;
    target.dataset.set = "yes";
    const source = target.textContent;
    try {
      temml.render(source, target, { displayMode: true, throwOnError: true });
    } catch {
      target.innerHTML = "<code></code>";
      target.firstChild.textContent = source;
    }
  }

  // ---- the rest of a claim's tests, in columns ----
  const cell = (column, i) => (Array.isArray(column) ? column[i] : column);
  window.rootdk.cell = cell;
  const shown = (value) =>
    value === null || value === undefined ? "–" : typeof value === "number" ? String(+value.toPrecision(5)) : value;

  function columnsOf(claim) {
    const { tests } = claim;
    const columns = Object.entries(tests.fields);
    for (const [name, key] of [["check", "check"], ["expected", "expected"], ["estimate", "estimate"], ["low", "low"],
      ["high", "high"], ["p", "p"], ["ν", "nu"], ["verdict", "verdict"]]) columns.push([name, tests[key]]);
    return columns;
  }

  function table(claim) {
    const columns = columnsOf(claim);
    const order = [...Array(claim.tests.count).keys()].slice(10);
    const element = document.createElement("table");
    element.className = "columns";
    const head = element.createTHead().insertRow();
    const body = element.createTBody();
    const fill = () => {
      body.textContent = "";
      for (const i of order) {
        const row = body.insertRow();
        for (const [, column] of columns) row.insertCell().textContent = shown(cell(column, i));
      }
    };
    columns.forEach(([name, column]) => {
      const th = document.createElement("th");
      th.textContent = name;
      let sign = 1;
      th.onclick = () => {
        order.sort((a, b) => {
          const [x, y] = [cell(column, a), cell(column, b)];
          return sign * (x === y ? 0 : x === null || (y !== null && x < y) ? -1 : 1);
        });
        sign = -sign;
        fill();
      };
      head.append(th);
    });
    fill();
    return element;
  }

  function fillColumns(details) {
    const target = details.querySelector(".compact");
    const claim = byId.get(details.id);
    if (!target || !claim || target.firstChild || claim.tests.count <= 10) return;
    const inner = document.createElement("details");
    const summary = document.createElement("summary");
    const rest = claim.total - claim.tests.count;
    summary.textContent = `The other ${claim.tests.count - 10}` +
      (rest > 0 ? `; ${rest} more are in the JSON result` : "");
    const wide = document.createElement("div");
    wide.className = "wide";
    inner.append(summary, wide);
    inner.addEventListener("toggle", () => { if (!wide.firstChild) wide.append(table(claim)); });
    target.append(inner);
  }

  for (const details of claims) {
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      setFormula(details);
      fillColumns(details);
    });
  }

  // ---- the address ----
  function openTarget() {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    const target = id && document.getElementById(id);
    if (!target) return;
    if (target.matches("details.claim")) {
      target.hidden = false;
      target.open = true;
      setFormula(target);
    }
    target.scrollIntoView();
  }
  addEventListener("hashchange", openTarget);

  // ---- copying ----
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.type = "button";
    button.addEventListener("click", async () => {
      await copy(button.dataset.copy);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  // ---- filter and sort ----
  const tools = document.querySelector("form.tools");
  const area = (details) => details.id.split(".")[0];
  const addOptions = (select, values) => {
    for (const value of [...new Set(values)].sort()) select.add(new Option(value.replace("_", " "), value));
  };
  const text = new Map(claims.map((d) => [d, d.querySelector("summary").textContent.toLowerCase()]));
  function filter() {
    const { find, verdict, area: areas } = tools.elements;
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const details of claims) {
      const keep = words.every((word) => text.get(details).includes(word)) &&
        (!verdict.value || details.dataset.verdict === verdict.value) && (!areas.value || area(details) === areas.value);
      details.hidden = !keep;
      count += keep;
    }
    tools.elements.shown.value = count === claims.length ? `${count} claims` : `${count} of ${claims.length} claims`;
  }
  function sort() {
    const by = tools.elements.sort.value;
    const number = (d) => (by === "rank" ? +d.dataset.rank : -d.dataset[by]);
    claims.sort((a, b) => (by === "id" ? (a.id < b.id ? -1 : 1) : number(a) - number(b)));
    document.querySelector(".list").append(...claims);
  }
  addOptions(tools.elements.verdict, claims.map((d) => d.dataset.verdict));
  addOptions(tools.elements.area, claims.map(area));
  tools.addEventListener("input", filter);
  tools.elements.sort.addEventListener("change", sort);
  tools.addEventListener("submit", (event) => event.preventDefault());
  tools.hidden = false;
  filter();
  openTarget();
  document.documentElement.dataset.ready = "tables";
})();
