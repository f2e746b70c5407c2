import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { launchBrowser } from "./browser.ts";
import { SCRIPT_ATTACKS } from "./script-attacks.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVault, type VaultClient } from "./vault-client.ts";
import { createVisitor, THEMES, type Visitor } from "./visitor.ts";

let server: TestServer;
let browser: Browser;
let owner: Visitor;
let vault: VaultClient;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  owner = await createVisitor(browser, server);
  vault = createVault(owner.context.request, server.url);
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

/** What must never happen on a page that shows what somebody else has written. */
interface Guard {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly harm: string[];
}

/** A browser in which the page's policy does not hold, so that only what was left in the page counts. */
async function openGuarded(isSignedIn: boolean): Promise<Guard> {
  const options = { baseURL: server.url, bypassCSP: true };
  const storageState = isSignedIn ? await owner.context.storageState() : undefined;
  const context = await browser.newContext(storageState === undefined ? options : { ...options, storageState });
  const harm: string[] = [];
  context.on("page", (page) => {
    page.on("dialog", (dialog) => {
      harm.push(`a script ran: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(server.url)) harm.push(`a request to ${request.url()}`);
  });
  return { context, page: await context.newPage(), harm };
}

/** Touches everything within an element, and lists what in it could run something. */
function findDangers(root: Element): string[] {
  const dangers: string[] = [];
  const safe = /^(?:https?|mailto|tel):$/;
  for (const element of root.querySelectorAll("*")) {
    if (/^(script|iframe|object|embed|form|base|meta|link|style|template|svg|math)$/i.test(element.localName))
      dangers.push(`<${element.localName}>`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "srcdoc" || name === "formaction") dangers.push(`${name}="${value}"`);
      const isAddress = ["href", "src", "xlink:href", "action", "poster"].includes(name);
      if (isAddress && !safe.test(new URL(value, location.href).protocol)) dangers.push(`${name}="${value}"`);
    }
    for (const type of ["mouseover", "focus", "toggle", "error", "load"]) element.dispatchEvent(new Event(type));
  }
  return dangers;
}

async function share(path: string, content: string): Promise<string> {
  const id = await vault.write(path, content);
  const response = await owner.context.request.put(`/api/documents/${id}/sharing`, {
    data: { shared: true, shareType: "public" },
    headers: { origin: server.url },
  });
  expect(response.status()).toBe(200);
  return id;
}

describe("a shared page", () => {
  it(`runs and loads nothing of ${SCRIPT_ATTACKS.length} attacks, even without its policy`, async () => {
    expect(SCRIPT_ATTACKS.length).toBeGreaterThan(100);
    const { context, page, harm } = await openGuarded(false);
    for (const [index, attack] of SCRIPT_ATTACKS.entries()) {
      await page.goto(`/share/${await share(`attacks/${index}.md`, `before\n\n${attack}\n\nafter\n`)}`);
      const dangers = await page.locator("article").evaluate(findDangers);
      await page.waitForTimeout(20);
      if (dangers.length > 0 || harm.length > 0) {
        throw new Error(`${attack}: ${[...dangers, ...harm].join(", ")}`);
      }
    }
    await context.close();
  });

  it("sends the policy that would stop them all the same", async () => {
    const stranger = await createVisitor(browser, server, { isSignedIn: false });
    const id = await share("policy.md", "# Title\n");
    const response = await stranger.page.goto(`/share/${id}`);
    expect(response?.headers()["content-security-policy"]).toMatch(/^default-src 'none'; /);
    stranger.watch.expect(/script-src|inline script/);
    const hasRun = await stranger.page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hasRun = true";
      document.body.append(script);
      return "hasRun" in window;
    });
    expect(hasRun).toBe(false);
    expect(stranger.watch.problems).toEqual([]);
    await stranger.close();
  });

  it("is readable in both themes and at both sizes", async () => {
    const id = await share("Read me.md", EXAMPLE);
    const problems: string[] = [];
    for (const size of ["desktop", "phone"] as const) {
      for (const theme of THEMES) {
        const stranger = await createVisitor(browser, server, { size, theme, isSignedIn: false });
        await stranger.page.goto(`/share/${id}`);
        await stranger.page.screenshot({ path: `screenshots/share-page-${size}-${theme}.png` });
        problems.push(...(await findAccessibilityProblems(stranger.page)), ...stranger.watch.problems);
        await stranger.close();
      }
    }
    expect(problems).toEqual([]);
  });
});

describe("a note in the dashboard", () => {
  it("runs and loads nothing of the same attacks, written or read", async () => {
    const { context, page, harm } = await openGuarded(true);
    for (const [name, attacks] of [
      ["forward", SCRIPT_ATTACKS],
      ["backward", SCRIPT_ATTACKS.toReversed()],
    ] as const) {
      for (let start = 0; start < attacks.length; start += 25) {
        const text = attacks.slice(start, start + 25).join("\n\n");
        const id = await vault.write(`${name}/${start}.md`, text);
        await page.goto(`/documents?doc=${id}`);
        await page.getByRole("textbox", { name: /^Text of/ }).waitFor();
        await page.getByRole("button", { name: "Read", exact: true }).click();
        const dangers = await page.getByRole("document", { name: "Text" }).evaluate(findDangers);
        await page.waitForTimeout(100);
        await page.getByRole("button", { name: "Write", exact: true }).click();
        expect([...dangers, ...harm]).toEqual([]);
      }
    }
    await context.close();
  });
});

const EXAMPLE = `# A walk in the hills

Some **bold** words, \`code\`, a [site](https://example.com) and a task list:

- [x] boots
- [ ] map

> Take water.

| Day | Distance |
|---|---:|
| Saturday | 14 km |
| Sunday | 9 km |

\`\`\`sh
cal 6 2026
\`\`\`
`;
