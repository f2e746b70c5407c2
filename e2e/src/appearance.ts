import type { Page } from "playwright-core";
import { findAccessibilityProblems } from "./accessibility.ts";
import { saveScreenshot } from "./screenshot.ts";
import { THEMES, type Theme } from "./window.ts";

const TAKES_SCREENSHOTS = process.env["SCREENSHOTS"] === "1";

/**
 * Takes a screenshot for people to look at; no test compares it. Only with SCREENSHOTS=1, since a run takes hundreds.
 */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (TAKES_SCREENSHOTS) await saveScreenshot(page, name);
}

/**
 * Shows a page in both themes, beginning with the one it is shown in, takes screenshots, and returns the serious accessibility
 * problems in either. Themes differ in colours only, so the second is only checked for these.
 */
export async function checkThemes(page: Page, name: string, { hasAxe = true } = {}): Promise<string[]> {
  // Without axe, only a screenshot shows the difference between themes.
  if (!hasAxe && !TAKES_SCREENSHOTS) return [];
  const problems: string[] = [];
  const shown = await page.evaluate(() => document.documentElement.dataset["theme"]);
  for (const [index, theme] of (shown === "dark" ? THEMES.toReversed() : THEMES).entries()) {
    if (theme !== shown || index > 0) await showTheme(page, theme);
    await takeScreenshot(page, `${name}-${theme}`);
    if (!hasAxe) continue;
    const found = await findAccessibilityProblems(page, { hasOnlyColours: index > 0 });
    problems.push(...found.map((problem) => `${name}, ${theme}: ${problem}`));
  }
  return problems;
}

async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction((expected) => document.documentElement.dataset["theme"] === expected, theme);
}
