// Opens pages in headless Chromium. Where it or playwright-core is absent, the caller is skipped by
// name with exit code 77.
import { existsSync } from "node:fs";

export const kSkipped = 77;

export async function launch() {
  const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .find((path) => path && existsSync(path));
  if (!executablePath) {
    console.log("SKIPPED: Chromium is not installed");
    process.exit(kSkipped);
  }
  let playwright;
  try {
    playwright = await import("playwright-core");
  } catch {
    console.log("SKIPPED: playwright-core is not installed (npm ci)");
    process.exit(kSkipped);
  }
  return playwright.chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

/// A page on which everything is drawn, and what it complained of or asked for.
export async function open(browser, url, { width = 1280, height = 860, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  const start = performance.now();
  await page.goto(url);
  if (options.javaScriptEnabled !== false && !options.without_scripts) {
    await page.waitForFunction(() => {
      const { ready } = document.documentElement.dataset;
      return ready === "all" || (ready && typeof vegaEmbed === "undefined");
    });
  }
  return { page, context, complaints, seconds: (performance.now() - start) / 1000 };
}
