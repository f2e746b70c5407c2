import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";

const FOLDER = join(import.meta.dirname, "../screenshots");

/** Saves a screenshot in `e2e/screenshots`, for people to look at. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

/** Saves a text beside the screenshots, if they are saved. */
export async function saveText(name: string, text: string): Promise<void> {
  if (process.env["SCREENSHOTS"] !== "1") return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, name), text);
}
