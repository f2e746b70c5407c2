import type { Page } from "playwright-core";

/** Holds all requests to the addresses that match, until the function returned is called. */
export async function holdRequests(page: Page, ...addresses: readonly (string | RegExp)[]): Promise<() => void> {
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const address of addresses) {
    await page.route(address, async (route) => {
      await isReleased;
      await route.fallback();
    });
  }
  return () => release();
}
