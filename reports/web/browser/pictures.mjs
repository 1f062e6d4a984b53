// Pictures of a report, for the README and to look at:
// node reports/web/browser/pictures.mjs REPORT.html FOLDER [CLAIM]
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { launch, open } from "./chromium.mjs";

const [report, folder = "docs", id = "scores.scaled_variance"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
async function picture(name, { hash = "", part = null, ...options } = {}) {
  const { page, context, complaints } = await open(browser, `file://${resolve(report)}${hash}`, options);
  for (const complaint of complaints) console.log(`${name}: ${complaint}`);
  const target = part ? page.locator(part).first() : page;
  await target.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}
await picture("report");
await picture("report-dark", { colorScheme: "dark" });
await picture("claim", { hash: `#${id}` });
await picture("claim-dark", { hash: `#${id}`, colorScheme: "dark" });
await picture("plots", { part: "#plots" });
await picture("plots-dark", { part: "#plots", colorScheme: "dark" });
await picture("phone", { width: 390, height: 844 });
await picture("phone-claim", { width: 390, height: 844, hash: `#${id}` });
await browser.close();
