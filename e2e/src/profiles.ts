import type { Browser, BrowserContext, Page } from "playwright-core";
import type { TestServer } from "./server-process.ts";
import { openTab, type Tab } from "./tab.ts";
import { createProfile, startVisit, type Visitor, type VisitorOptions } from "./visitor.ts";
import { SIZES } from "./window.ts";

interface Profile {
  readonly browser: Browser;
  /** The origin, size and theme of its pages. */
  readonly kind: string;
  readonly context: BrowserContext;
  /** A page without scripts. While it is open, the browser keeps the one process of this site in this profile. */
  readonly anchor: Page;
  /** The page of the latest visitor, if the next one may use it. */
  tab: Tab | undefined;
  isFree: boolean;
}

/** All profiles of this worker. */
const profiles = new Set<Profile>();

/**
 * Opens visitors in browser profiles that they use one after the other, also those of other files if their servers have the same
 * origin, and in one tab if nothing has been changed in it for good. Starting a process for each page, which would have to load and
 * compile the dashboard again, takes twice the processor time of showing the page. A visitor who is closed releases the profile;
 * closing its context ends the profile.
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
    const profile = { browser, kind, context, anchor, tab: undefined, isFree: false };
    profiles.add(profile);
    context.once("close", () => profiles.delete(profile));
    return profile;
  }

  async function release(profile: Profile, tab: Tab, { size = "desktop", theme = "light" }: VisitorOptions) {
    const { context, anchor } = profile;
    if (!profiles.has(profile)) return;
    await context.setOffline(false);
    await context.clearPermissions();
    const isClear = await tab.clear(SIZES[size].viewport, theme);
    const pages = context.pages().filter((page) => page !== anchor && !(isClear && page === tab.page));
    await Promise.all(pages.map((page) => page.close()));
    profile.tab = isClear ? tab : undefined;
    profile.isFree = true;
  }

  return {
    async visit(options) {
      const profile = await take(options);
      const tab = profile.tab ?? (await openTab(profile.context));
      let released: Promise<void> | undefined;
      const close = () => (released ??= release(profile, tab, options));
      return startVisit(profile.context, tab, server, { loadsAhead: false, ...options }, close);
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
