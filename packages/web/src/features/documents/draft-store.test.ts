import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DocumentDraft } from "./draft-store.ts";

const DRAFT: DocumentDraft = { text: "one two", baseText: "one", baseHash: "h1" };

/** What one browser keeps, as far as short drafts need it. */
class BrowserStorage {
  readonly locks = new Set<string>();
  readonly #items: Record<string, string> = {};

  /** The drafts as one page sees them. Every call is another page. */
  async openPage() {
    vi.resetModules();
    const store = await import("./draft-store.ts");
    const { PAGE_ID } = await import("../../drafts/living-pages.ts");
    return { ...store, close: () => this.locks.delete(`workspace.page.${PAGE_ID}`) };
  }

  keepAsBefore(id: string, draft: DocumentDraft): void {
    this.#items[`workspace.draft.document.${id}`] = JSON.stringify(draft);
  }

  stub(): void {
    const items = this.#items;
    const methods = {
      getItem: (key: string) => items[key] ?? null,
      setItem: (key: string, value: string) => (items[key] = value),
      removeItem: (key: string) => Reflect.deleteProperty(items, key),
    };
    const handler: ProxyHandler<typeof methods> = { ownKeys: () => Object.keys(items), getOwnPropertyDescriptor };
    vi.stubGlobal("localStorage", new Proxy(methods, handler));
    vi.stubGlobal("window", new EventTarget());
    vi.stubGlobal("navigator", {
      locks: {
        request: (name: string) => Promise.resolve(this.locks.add(name)),
        query: () => Promise.resolve({ held: [...this.locks].map((name) => ({ name })) }),
      },
    });
  }
}

/** Makes the items be listed as a browser lists them. */
function getOwnPropertyDescriptor(): PropertyDescriptor {
  return { enumerable: true, configurable: true };
}

let browser: BrowserStorage;

beforeEach(() => {
  browser = new BrowserStorage();
  browser.stub();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("drafts of documents", () => {
  it("are found once their page is gone, and not before", async () => {
    const [tab, other] = [await browser.openPage(), await browser.openPage()];
    await tab.keepDocumentDraft("a", DRAFT);
    expect(await other.findLeftDrafts("a")).toEqual([]);
    expect(await other.draftedDocumentIds()).toEqual(new Set());
    tab.close();
    expect(await other.draftedDocumentIds()).toEqual(new Set(["a"]));
    expect(await draftsIn(other, "a")).toEqual([DRAFT]);
    expect(await draftsIn(other, "b")).toEqual([]);
  });

  it("are dropped by their own page only", async () => {
    const [tab, other] = [await browser.openPage(), await browser.openPage()];
    await tab.keepDocumentDraft("a", DRAFT);
    other.dropDocumentDraft("a");
    expect(await draftsIn(tab, "a")).toEqual([DRAFT]);
    tab.dropDocumentDraft("a");
    expect(await draftsIn(tab, "a")).toEqual([]);
  });

  it("are kept side by side: this page's first, then the newest", async () => {
    vi.useFakeTimers();
    const [own, older, newer] = [await browser.openPage(), await browser.openPage(), await browser.openPage()];
    for (const [tab, text] of [[own, "own"] as const, [older, "older"] as const, [newer, "newer"] as const]) {
      await tab.keepDocumentDraft("a", { ...DRAFT, text });
      vi.advanceTimersByTime(1_000);
    }
    older.close();
    newer.close();
    browser.keepAsBefore("a", { ...DRAFT, text: "of an older release" });
    const texts = (await draftsIn(own, "a")).map(({ text }) => text);
    expect(texts).toEqual(["own", "newer", "older", "of an older release"]);
  });

  it("are forgotten one by one, and not where they were written anew", async () => {
    const tab = await browser.openPage();
    browser.keepAsBefore("a", DRAFT);
    await tab.keepDocumentDraft("a", DRAFT);
    const [own, earlier] = await tab.findLeftDrafts("a");
    await tab.keepDocumentDraft("a", { ...DRAFT, text: "one two three" });
    own?.forget();
    earlier?.forget();
    expect((await draftsIn(tab, "a")).map(({ text }) => text)).toEqual(["one two three"]);
  });

  it("keep what was on its way to the server", async () => {
    const tab = await browser.openPage();
    await tab.keepDocumentDraft("a", { ...DRAFT, sentText: "one t" });
    expect(await draftsIn(tab, "a")).toEqual([{ ...DRAFT, sentText: "one t" }]);
  });
});

type OpenPage = Awaited<ReturnType<BrowserStorage["openPage"]>>;

async function draftsIn(tab: OpenPage, id: string): Promise<DocumentDraft[]> {
  return (await tab.findLeftDrafts(id)).map(({ draft }) => draft);
}
