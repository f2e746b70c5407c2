import type { Browser, BrowserContext, CDPSession, Locator, Page } from "playwright-core";
import type { TestContext } from "vitest";
import type { PageWatch } from "./page-watch.ts";
import { saveScreenshot } from "./screenshot.ts";
import type { TestServer } from "./server-process.ts";
import { openTab, type Tab } from "./tab.ts";
import { SIZES, type Size, type Theme } from "./window.ts";
import { createVault, type VaultClient } from "./vault-client.ts";

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
  /** Whether the page loads all parts of its code after some seconds, as it does for users who do not save data. */
  readonly loadsAhead?: boolean;
}

/** Opens a page in a browser profile of its own, which is closed with the visitor. */
export async function createVisitor(
  browser: Browser,
  server: TestServer,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const context = await createProfile(browser, server, options);
  return startVisit(context, await openTab(context), server, options, () => context.close());
}

export async function createProfile(
  browser: Browser,
  { url }: TestServer,
  { size = "desktop", theme = "light" }: VisitorOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...SIZES[size],
    baseURL: url,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
  });
  context.setDefaultTimeout(20_000);
  return context;
}

/** Begins a visit in a tab of a profile, which keeps nothing of an earlier visit but its session and the browser's cache. */
export async function startVisit(
  context: BrowserContext,
  tab: Tab,
  server: TestServer,
  { isSignedIn = true, loadsAhead = true }: VisitorOptions,
  close: () => Promise<void>,
): Promise<Visitor> {
  const { page, session } = tab;
  await clearStorage(session, server.url);
  await session.send("Emulation.setDataSaverOverride", { dataSaverEnabled: !loadsAhead });
  const watch = tab.watch();
  if (isSignedIn) await signIn(context, server);
  else await context.clearCookies();
  return { context, page, watch, vault: createVault(context.request, server.url), close };
}

/** Removes what a page has stored, except its cookies. */
async function clearStorage(session: CDPSession, origin: string): Promise<void> {
  const storageTypes = "local_storage,indexeddb,cache_storage,service_workers,file_systems,websql";
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes });
}

async function signIn({ request }: BrowserContext, { url, email, password }: TestServer): Promise<void> {
  const session = (await (await request.get("/api/auth/get-session")).json()) as { user: { email: string } } | null;
  if (session?.user.email === email) return;
  const response = await request.post("/api/auth/sign-in/email", {
    data: { email, password },
    headers: { origin: url },
  });
  if (!response.ok()) throw new Error(`Could not sign in: ${response.status()} ${await response.text()}`);
}

/**
 * Ends a test's visit: takes screenshots if the test has failed, and throws if the pages reported problems.
 */
export async function endVisit(
  { context, watch, close }: Visitor,
  { name, result }: TestContext["task"],
): Promise<void> {
  const isFailed = result?.state === "fail";
  if (isFailed) {
    for (const [index, page] of context.pages().entries()) {
      await saveScreenshot(page, `failed ${name} ${index}`);
    }
  }
  const problems = [...watch.problems];
  await (isFailed ? context.close() : close());
  if (problems.length > 0) throw new Error(`The page complained:\n${problems.join("\n")}`);
}

/** Presses "Try again", unless the page, which also retries by itself, has already loaded what was missing. */
export async function tryAgain(
  within: Page | Locator,
  missing: Locator,
  state: "visible" | "attached" = "visible",
): Promise<void> {
  await Promise.race([within.getByRole("button", { name: "Try again" }).click(), missing.waitFor({ state })]);
  await missing.waitFor({ state });
}
