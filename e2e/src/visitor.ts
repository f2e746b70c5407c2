import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import type { TestContext } from "vitest";
import { watchPage, type PageWatch } from "./page-watch.ts";
import type { TestServer } from "./server.ts";
import { createVault, type VaultClient } from "./vault-client.ts";

export const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
export type Size = keyof typeof SIZES;

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** A user with a browser window. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: PageWatch;
  /** The vault as another program of the same user sees it. */
  readonly vault: VaultClient;
  close(): Promise<void>;
}

export interface VisitorOptions {
  readonly size?: Size;
  readonly theme?: Theme;
  /** Whether to sign in before the first page, without the form. */
  readonly isSignedIn?: boolean;
}

export async function createVisitor(
  browser: Browser,
  { url, email, password }: TestServer,
  { size = "desktop", theme = "light", isSignedIn = true }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    ...SIZES[size],
    baseURL: url,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const watch = await watchPage(page);
  if (isSignedIn) {
    const response = await context.request.post("/api/auth/sign-in/email", {
      data: { email, password },
      headers: { origin: url },
    });
    if (!response.ok()) throw new Error(`Could not sign in: ${response.status()} ${await response.text()}`);
  }
  return { context, page, watch, vault: createVault(context.request, url), close: () => context.close() };
}

/**
 * Ends a test's visit: takes screenshots if the test has failed, and throws if the pages reported problems.
 */
export async function endVisit({ context, watch }: Visitor, { name, result }: TestContext["task"]): Promise<void> {
  if (result?.state === "fail") {
    for (const [index, page] of context.pages().entries()) {
      await page.screenshot({ path: `screenshots/failed ${name} ${index}.png` });
    }
  }
  const problems = [...watch.problems];
  await context.close();
  if (problems.length > 0) throw new Error(`The page complained:\n${problems.join("\n")}`);
}

/** Presses "Try again", unless the page, which also retries by itself, has already loaded what was missing. */
export async function tryAgain(page: Page, missing: Locator): Promise<void> {
  await Promise.race([page.getByRole("button", { name: "Try again" }).click(), missing.waitFor()]);
  await missing.waitFor();
}
