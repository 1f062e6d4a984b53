// How long a page takes until everything on it is drawn: node reports/web/browser/ready.mjs REPORT.html
// A measurement, no test: it says as much about the machine as about the page.
import { resolve } from "node:path";
import { launch, open } from "./chromium.mjs";

const browser = await launch();
const times = [];
for (let i = 0; i < 5; ++i) {
  const { seconds, context } = await open(browser, `file://${resolve(process.argv[2])}`);
  times.push(seconds);
  await context.close();
}
await browser.close();
times.sort((a, b) => a - b);
console.log(`ready after ${times[2].toFixed(2)} s, the median of ${times.length}`);
