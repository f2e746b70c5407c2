import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { mapFramesOnce } from "./stack-frames.ts";

const KNOWN_PATHS = [
  // Chromium without its own windows and menus: a fifth less processor time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of an installed Chromium; undefined if there is none. */
export function findChromium(): string | undefined {
  return KNOWN_PATHS.find((path) => existsSync(path));
}

mapFramesOnce();

let browserOfWorker: Promise<Browser> | undefined;

/**
 * The browser that a worker's files use one after the other. It ends with the worker; if it has ended before, another is launched.
 */
export async function useBrowser(): Promise<Browser> {
  const running = await browserOfWorker?.catch(() => undefined);
  if (running?.isConnected() === true) return running;
  browserOfWorker = launchBrowser();
  return browserOfWorker;
}

export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error(`Chromium was not found in ${KNOWN_PATHS.join(", ")}. Install one.`);
  return chromium.launch({
    executablePath,
    env: { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL("../fonts.conf", import.meta.url)) },
    args: [
      "--no-sandbox",
      // A profile's next page runs in the process that has already compiled the dashboard.
      "--process-per-site",
      // Otherwise every page parses all scripts in the background, also those that its process has compiled before.
      "--js-flags=--no-script-streaming",
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      ...args,
    ],
  });
}
