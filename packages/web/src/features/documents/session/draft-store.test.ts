import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Drafts } from "../../../drafts/draft.ts";
import { OpenPages } from "../../../drafts/open-pages.ts";
import { DocumentDrafts, type DocumentDraft } from "./draft-store.ts";

const DRAFT: DocumentDraft = { text: "one two", baseText: "one", baseHash: "h1" };

/** A fake of one browser's storage, as far as short drafts need it. */
class BrowserStorage {
  readonly locks = new Set<string>();
  readonly #items: Record<string, string> = {};

  /** The drafts as one page sees them. Every call simulates a new page. */
  openPage(userId = "ada") {
    const pages = new OpenPages();
    return {
      drafts: new DocumentDrafts(pages, new Drafts({ id: userId })),
      close: () => this.locks.delete(`workspace.page.${pages.ownId}`),
    };
  }

  storeInOldFormat(id: string, draft: DocumentDraft): void {
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
    vi.stubGlobal("StorageEvent", Event);
    vi.stubGlobal("navigator", {
      locks: {
        request: (name: string) => Promise.resolve(this.locks.add(name)),
        query: () => Promise.resolve({ held: [...this.locks].map((name) => ({ name })) }),
      },
    });
  }
}

/** Lists the items as a browser would. */
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
    const [tab, other] = [browser.openPage(), browser.openPage()];
    await tab.drafts.store("a", DRAFT);
    expect(await other.drafts.findAbandoned("a")).toEqual([]);
    expect(await other.drafts.documentIds()).toEqual(new Set());
    tab.close();
    expect(await other.drafts.documentIds()).toEqual(new Set(["a"]));
    expect(await draftsIn(other, "a")).toEqual([DRAFT]);
    expect(await draftsIn(other, "b")).toEqual([]);
  });

  it("are found by their own user only, and those of an earlier release by the first", async () => {
    browser.storeInOldFormat("b", DRAFT);
    const tab = browser.openPage();
    await tab.drafts.store("a", DRAFT);
    tab.close();
    expect(await tab.drafts.documentIds()).toEqual(new Set(["a", "b"]));
    const other = browser.openPage("grace");
    expect(await other.drafts.documentIds()).toEqual(new Set());
    expect(await draftsIn(other, "a")).toEqual([]);
    await other.drafts.discard("a");
    expect(await draftsIn(browser.openPage(), "a")).toEqual([DRAFT]);
  });

  it("are removed by their own page only", async () => {
    const [tab, other] = [browser.openPage(), browser.openPage()];
    await tab.drafts.store("a", DRAFT);
    other.drafts.remove("a");
    expect(await draftsIn(tab, "a")).toEqual([DRAFT]);
    tab.drafts.remove("a");
    expect(await draftsIn(tab, "a")).toEqual([]);
  });

  it("are kept side by side: this page's own first, then newest first", async () => {
    vi.useFakeTimers();
    browser.storeInOldFormat("a", { ...DRAFT, text: "from an older release" });
    const [own, older, newer] = [browser.openPage(), browser.openPage(), browser.openPage()];
    for (const [tab, text] of [[own, "own"] as const, [older, "older"] as const, [newer, "newer"] as const]) {
      await tab.drafts.store("a", { ...DRAFT, text });
      vi.advanceTimersByTime(1_000);
    }
    expect(await own.drafts.newestTexts()).toEqual(new Map([["a", "newer"]]));
    older.close();
    newer.close();
    const texts = (await draftsIn(own, "a")).map(({ text }) => text);
    expect(texts).toEqual(["own", "newer", "older", "from an older release"]);
  });

  it("are deleted one by one, unless they have been rewritten", async () => {
    const tab = browser.openPage();
    browser.storeInOldFormat("a", DRAFT);
    await tab.drafts.store("a", DRAFT);
    const [own, earlier] = await tab.drafts.findAbandoned("a");
    await tab.drafts.store("a", { ...DRAFT, text: "one two three" });
    own?.forget();
    earlier?.forget();
    expect((await draftsIn(tab, "a")).map(({ text }) => text)).toEqual(["one two three"]);
  });

  it("record what was being sent to the server", async () => {
    const tab = browser.openPage();
    await tab.drafts.store("a", { ...DRAFT, sentText: "one t" });
    expect(await draftsIn(tab, "a")).toEqual([{ ...DRAFT, sentText: "one t" }]);
  });
});

type OpenPage = Awaited<ReturnType<BrowserStorage["openPage"]>>;

async function draftsIn(tab: OpenPage, id: string): Promise<DocumentDraft[]> {
  return (await tab.drafts.findAbandoned(id)).map(({ draft }) => draft);
}
