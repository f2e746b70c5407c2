import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { watchVisits, type PageWatch } from "./page-watch.ts";
import type { SIZES, Theme } from "./window.ts";

/** What tests do with a page that stays with it as long as it is open. */
const LASTING = ["addInitScript", "exposeBinding", "exposeFunction", "on", "once", "routeWebSocket"] as const;
/** A path of the server that has no script. */
const EMPTY_PATH = "/favicon.svg";

/** A page that visitors use one after the other. */
export interface Tab {
  readonly page: Page;
  /** Ends with the page. */
  readonly session: CDPSession;
  /** Begins to watch it for the next visitor. */
  watch(): PageWatch;
  /** Leaves what the page shows and clears what was set for it. False if that is not possible: then the page is to be closed. */
  clear(viewport: (typeof SIZES)[keyof typeof SIZES]["viewport"], theme: Theme): Promise<boolean>;
}

/**
 * Opens a page. The page after it in the same tab is loaded in two thirds of the processor time that it takes in another tab, since
 * its scripts are still in memory.
 */
export async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const watch = await watchVisits(page);
  let isAltered = false;
  const alter = (): void => {
    isAltered = true;
  };
  for (const name of LASTING) noteCalls(page, name, alter);
  noteCalls(page.clock, "install", alter);

  async function clear(viewport: { readonly width: number; readonly height: number }, theme: Theme): Promise<void> {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goto(EMPTY_PATH);
    await page.evaluate(() => sessionStorage.clear());
    await page.mouse.move(-1, -1);
    await page.emulateMedia({ colorScheme: theme });
    if (page.viewportSize()?.width !== viewport.width || page.viewportSize()?.height !== viewport.height)
      await page.setViewportSize(viewport);
    await session.send("Page.resetNavigationHistory");
  }

  return {
    page,
    session,
    watch,
    async clear(viewport, theme) {
      if (isAltered || page.isClosed()) return false;
      // What it reports while it is left, such as requests that end without a response, concerns no visitor.
      watch();
      return clear(viewport, theme).then(
        () => true,
        () => false,
      );
    },
  };
}

/** Has a function called whenever a method of an object is. */
function noteCalls<Name extends string>(
  object: Readonly<Record<Name, (...values: never[]) => unknown>>,
  name: Name,
  note: () => void,
): void {
  const original = object[name].bind(object);
  const noted = (...values: never[]): unknown => {
    note();
    return original(...values);
  };
  Object.assign(object, { [name]: noted });
}
