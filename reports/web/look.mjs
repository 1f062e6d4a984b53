// Pictures of a report for people to look at: node reports/web/look.mjs REPORT.html OUTDIR
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const [page_path, out = "."] = process.argv.slice(2);
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
async function look(name, { width = 1280, height = 860, scheme = "light", hash = "", full = false, select = null } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const page = await context.newPage();
  page.on("console", (m) => console.log(name, m.type(), m.text()));
  page.on("pageerror", (e) => console.log(name, "error", e.message));
  await page.goto(`file://${resolve(page_path)}${hash}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "all" ||
    (typeof vegaEmbed === "undefined" && document.documentElement.dataset.ready));
  const target = select ? page.locator(select).first() : page;
  await target.screenshot({ path: `${out}/${name}.png`, ...(select ? {} : { fullPage: full }) });
  await context.close();
}
const id = process.argv[4] ?? "scores.scaled_variance";
await look("top");
await look("top-dark", { scheme: "dark" });
await look("claim", { hash: `#${id}` });
await look("claim-dark", { hash: `#${id}`, scheme: "dark" });
await look("plots", { select: "#plots" });
await look("plots-dark", { select: "#plots", scheme: "dark" });
await look("phone", { width: 390, height: 844 });
await look("phone-claim", { width: 390, height: 844, hash: `#${id}` });
await browser.close();
