// Tests of the report in a browser: node reports/web/browser/test.mjs ROOTDK RESULT.json
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, open } from "./chromium.mjs";

const [rootdk, stored] = process.argv.slice(2);
const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), "rootdk-page-"));

function render(name, result, ...more) {
  const json = join(folder, `${name}.json`);
  const html = join(folder, `${name}.html`);
  writeFileSync(json, JSON.stringify(result));
  const run = spawnSync(rootdk, ["report", json, "--html", html, ...more], { encoding: "utf8" });
  assert.notEqual(run.status, 2, run.stderr);
  return html;
}
const result = JSON.parse(readFileSync(stored, "utf8"));
const html = render("page", result);
const url = `file://${html}`;
const has_plots = readFileSync(html, "utf8").includes("vegaEmbed");

const tests = {
  async "complains of nothing, asks for nothing and has at most 4 MB"() {
    const { complaints } = await open(browser, url);
    assert.deepEqual(complaints, []);
    assert.ok(statSync(html).size <= 4e6);
  },

  async "opens the claim of its address and sets its formula"() {
    const { page } = await open(browser, `${url}#scores.variance`);
    const claim = page.locator('details[id="scores.variance"]');
    assert.equal(await claim.getAttribute("open"), "");
    if (has_plots) assert.equal(await claim.locator(".formula math").count(), 1);
    assert.ok(await claim.getByText("Because of independence.").isVisible());
    await claim.locator(".compact summary").click();
    assert.equal(await claim.locator("table.columns tbody tr").count(), 2);
  },

  async "filters and sorts"() {
    const { page } = await open(browser, url);
    const ids = () => page.$$eval("details.claim:not([hidden])", (all) => all.map((d) => d.id));
    assert.equal((await ids())[0], "norm.rms");
    await page.selectOption("select[name=sort]", "id");
    assert.deepEqual(await ids(), [...await ids()].sort());
    await page.selectOption("select[name=verdict]", "REFUTED");
    assert.deepEqual(await ids(), ["softmax.simplex"]);
    await page.selectOption("select[name=verdict]", "");
    await page.fill("input[name=find]", "statement SCORES");
    assert.deepEqual(await ids(), ["scores.variance"]);
  },

  async "copies the replay line"() {
    const { page } = await open(browser, `${url}#scores.variance`);
    const button = page.locator('details[id="scores.variance"] button.copy').last();
    await button.click();
    await page.waitForFunction((b) => b.textContent === "Copied", await button.elementHandle());
  },

  async "shows verdicts, intervals and tables without scripts"() {
    const { page } = await open(browser, url, { javaScriptEnabled: false });
    assert.equal(await page.locator("details.claim > summary").count(), 6);
    assert.ok(await page.locator("summary .v.REFUTED").first().isVisible());
    assert.ok(await page.locator("details.claim > summary svg").first().isVisible());
    await page.locator('details[id="scores.variance"] > summary').click();
    assert.ok(await page.locator('details[id="scores.variance"] table.tests').first().isVisible());
  },

  async "shows them under a policy that forbids scripts"() {
    const strict = join(folder, "strict.html");
    writeFileSync(strict, readFileSync(html, "utf8").replace("<head>",
      `<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`));
    const { page } = await open(browser, `file://${strict}`, { without_scripts: true });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), undefined);
    assert.ok(await page.locator("details.claim > summary svg").first().isVisible());
    assert.ok(await page.locator("#errata table").isVisible());
  },

  async "fits a phone"() {
    const { page } = await open(browser, `${url}#scores.variance`, { width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth) <= 390);
  },

  async "follows the light and dark scheme, and paper is white"() {
    const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const { page } = await open(browser, url, { colorScheme: "dark" });
    assert.notEqual(await ground(page), "rgb(255, 255, 255)");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await ground(page), "rgb(255, 255, 255)");
    assert.equal(await page.locator("form.tools").isVisible(), false);
    assert.ok((await page.pdf()).length > 10000);
  },

  async "cuts no label of a plot"() {
    if (!has_plots) return;
    for (const width of [1280, 390]) {
      const { page } = await open(browser, url, { width, height: 860 });
      assert.ok(await page.locator("figure svg").count() >= 3);
      const cut = await page.$$eval("figure svg", (all) => all.flatMap((svg) => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("text")].filter((text) => {
          const box = text.getBoundingClientRect();
          return box.width > 0 && getComputedStyle(text).opacity !== "0" &&
            (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
        }).map((text) => text.textContent);
      }));
      assert.deepEqual(cut, []);
    }
  },

  async "runs nothing that a record says"() {
    const hostile = `"'><img src=x onerror="window.stolen=1"></script><script>window.stolen=1</script>]]>\${1}\u0001😀${"y".repeat(10000)}`;
    const bad = structuredClone(result);
    for (const claim of bad.claims) {
      for (const field of ["statement", "latex", "source", "premise", "derivation", "domain", "method", "reason"]) claim[field] = hostile;
      for (const test of claim.configurations) Object.assign(test, { configuration: `d_k=${hostile}`, check: hostile, where: hostile, replay: hostile });
      for (const series of claim.series) Object.assign(series, { name: hostile, x_label: hostile });
      claim.latex = `\\href{javascript:window.stolen=1}{x} ${hostile}`;
    }
    bad.run.subject = hostile;
    const { page, complaints } = await open(browser, `file://${render("hostile", bad)}#scores.variance`);
    await page.$$eval("details", (all) => all.forEach((d) => { d.open = true; }));
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.stolen), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
    assert.deepEqual(complaints.filter((c) => !c.startsWith("WARN")), []);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.plotError), undefined);
  },

  async "draws what was measured of the suite"() {
    const defects = join(folder, "defects.json");
    const calibration = join(folder, "calibration.json");
    writeFileSync(defects, JSON.stringify({ schema: "rootdk/defects/1", equivalents: [],
      defects: [{ id: "scale.root_missing", refuted: true, by: ["scores.variance", "softmax.simplex"], missed: [], samples: 10, verified_others: 4 },
        { id: "backward.sign", refuted: false, by: [], missed: ["softmax.simplex"], samples: 0, verified_others: 6 }] }));
    writeFileSync(calibration, JSON.stringify({ schema: "rootdk/calibration/1",
      families: [{ family: "chi_squared", exact: true, alpha: { declared: 1e-9, measured: 1.01e-9 }, beta: { declared: 1e-6, measured: 9.9e-7 } }] }));
    const { page, complaints } = await open(browser, `file://${render("measured", result, "--with", defects, "--with", calibration)}`);
    assert.deepEqual(complaints, []);
    if (has_plots) assert.equal(await page.locator("[data-plot] svg").count(), 2);
    assert.ok(await page.getByText("1 of 2 planted defects are refuted").isVisible());
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
  await Promise.all(browser.contexts().map((context) => context.close()));
}
await browser.close();
rmSync(folder, { recursive: true });
process.exit(failed > 0 ? 1 : 0);
