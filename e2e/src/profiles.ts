import type { Browser, BrowserContext, Page } from "playwright-core";
import type { TestServer } from "./server.ts";
import { createProfile, startVisit, type Visitor, type VisitorOptions } from "./visitor.ts";

interface Profile {
  readonly browser: Browser;
  /** The origin, size and theme of its pages. */
  readonly kind: string;
  readonly context: BrowserContext;
  /** A page without scripts. While it is open, the browser keeps the one process of this site in this profile. */
  readonly anchor: Page;
  isFree: boolean;
}

/** All profiles of this worker. */
const profiles = new Set<Profile>();

/**
 * Opens visitors in browser profiles that they use one after the other, also those of other files if their servers have the same
 * origin. Starting a process for each page, which would have to load and compile the dashboard again, takes twice the processor
 * time of showing the page. A visitor who is closed releases the profile; closing its context ends the profile.
 */
export function createProfiles(
  browser: Browser,
  server: TestServer,
): {
  visit(options: VisitorOptions): Promise<Visitor>;
  /** Closes what tests have opened without a profile. */
  endOtherContexts(): Promise<void>;
} {
  async function take({ size = "desktop", theme = "light" }: VisitorOptions): Promise<Profile> {
    const kind = `${server.url} ${size} ${theme}`;
    const free = [...profiles].find(
      (profile) => profile.isFree && profile.browser === browser && profile.kind === kind,
    );
    if (free !== undefined) {
      free.isFree = false;
      return free;
    }
    const context = await createProfile(browser, server, { size, theme });
    const anchor = await context.newPage();
    await anchor.goto("/favicon.svg");
    const profile = { browser, kind, context, anchor, isFree: false };
    profiles.add(profile);
    context.once("close", () => profiles.delete(profile));
    return profile;
  }

  async function release(profile: Profile): Promise<void> {
    const { context, anchor } = profile;
    if (!profiles.has(profile)) return;
    const pages = context.pages().filter((page) => page !== anchor);
    await Promise.all(pages.map((page) => page.close()));
    await context.setOffline(false);
    await context.clearPermissions();
    profile.isFree = true;
  }

  return {
    async visit(options) {
      const profile = await take(options);
      let released: Promise<void> | undefined;
      return startVisit(profile.context, server, options, () => (released ??= release(profile)));
    },
    async endOtherContexts() {
      const kept = new Set([...profiles].map(({ context }) => context));
      await Promise.all(
        browser
          .contexts()
          .filter((context) => !kept.has(context))
          .map((context) => context.close()),
      );
    },
  };
}
