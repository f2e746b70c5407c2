import type { Page } from "playwright-core";

/** What is needed of the dashboard's router. */
interface RouterInPage {
  readonly state: { readonly status: string; readonly resolvedLocation?: { readonly href: string } };
}

/**
 * Opens another page of the dashboard as a link does. That takes half the processor time of loading it, and leaves axe compiled.
 * For tests of what a page looks like, if another test loads it.
 */
export async function followPath(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, "", to), path);
  await page.waitForFunction(() => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: RouterInPage };
    const { state } = router;
    return state.status === "idle" && state.resolvedLocation?.href === location.pathname + location.search;
  });
}

/** Whether the page shows the dashboard already. */
export async function isDashboard(page: Page): Promise<boolean> {
  return page.evaluate(() => "__TSR_ROUTER__" in window);
}
