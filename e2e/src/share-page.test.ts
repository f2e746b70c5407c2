import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SCRIPT_ATTACKS } from "./script-attacks.ts";
import type { VaultClient } from "./vault-client.ts";
import { createVisitor, type Visitor } from "./visitor.ts";
import { THEMES } from "./window.ts";

const dashboard = setUpDashboard();
let owner: Visitor;
let vault: VaultClient;

beforeAll(async () => {
  owner = await createVisitor(dashboard.browser, dashboard.server);
  ({ vault } = owner);
});

/** Records events that must never happen on a page with untrusted content. */
interface Guard {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly violations: string[];
}

/** Opens a browser that ignores the page's policy, so that only the sanitising of the content protects it. */
async function openGuarded(isSignedIn: boolean): Promise<Guard> {
  const options = { baseURL: dashboard.server.url, bypassCSP: true };
  const storageState = isSignedIn ? await owner.context.storageState() : undefined;
  const context = await dashboard.browser.newContext(
    storageState === undefined ? options : { ...options, storageState },
  );
  const violations: string[] = [];
  context.on("page", (page) => {
    page.on("dialog", (dialog) => {
      violations.push(`a script ran: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(dashboard.server.url)) violations.push(`a request to ${request.url()}`);
  });
  return { context, page: await context.newPage(), violations };
}

/** Triggers every element within `root`, and lists everything that could run code. */
function findDangers(root: Element): string[] {
  const dangers: string[] = [];
  const safe = /^(?:https?|mailto|tel):$/;
  for (const element of root.querySelectorAll("*")) {
    // The frames that draw diagrams have no origin.
    const isDiagram = element.matches('iframe[sandbox="allow-scripts"][src^="/diagram#"]');
    if (/^(script|iframe|object|embed|form|base|meta|link|style|template|svg)$/i.test(element.localName) && !isDiagram)
      dangers.push(`<${element.localName}>`);
    // Formulas contain nothing but formulas.
    if (element.matches("math :is(img, a, style, annotation-xml, mglyph, maction), math [href], [style][data-callout]"))
      dangers.push(`<${element.localName}> in a formula`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "srcdoc" || name === "formaction") dangers.push(`${name}="${value}"`);
      // An image without scripts, whatever is in it.
      if (element.localName === "img" && value.startsWith("data:image/svg+xml;charset=utf-8,")) continue;
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
    headers: { origin: dashboard.server.url },
  });
  expect(response.status()).toBe(200);
  return id;
}

describe("a shared page", () => {
  it(`runs and loads none of ${SCRIPT_ATTACKS.length} attacks, even without its policy`, async () => {
    expect(SCRIPT_ATTACKS.length).toBeGreaterThan(100);
    const { context, page, violations } = await openGuarded(false);
    for (const [index, attack] of SCRIPT_ATTACKS.entries()) {
      await page.goto(`/share/${await share(`attacks/${index}.md`, `before\n\n${attack}\n\nafter\n`)}`);
      const dangers = await page.locator("article").evaluate(findDangers);
      await page.waitForTimeout(20);
      if (dangers.length > 0 || violations.length > 0) {
        throw new Error(`${attack}: ${[...dangers, ...violations].join(", ")}`);
      }
    }
    await context.close();
  });

  it("also sends the policy that would stop them", async () => {
    const stranger = await dashboard.visit({ isSignedIn: false });
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
  });

  it("is accessible in both themes and at both sizes", async () => {
    const id = await share("Read me.md", EXAMPLE);
    const problems: string[] = [];
    for (const size of ["desktop", "phone"] as const) {
      const stranger = await dashboard.visit({ size, isSignedIn: false });
      for (const theme of THEMES) {
        await stranger.page.emulateMedia({ colorScheme: theme });
        await stranger.page.goto(`/share/${id}`);
        await takeScreenshot(stranger.page, `share-page-${size}-${theme}`);
        problems.push(...(await findAccessibilityProblems(stranger.page)));
      }
    }
    expect(problems).toEqual([]);
  });
});

describe("a note in the dashboard", () => {
  it("runs and loads none of the same attacks, while editing or reading", async () => {
    const { context, page, violations } = await openGuarded(true);
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
        expect([...dangers, ...violations]).toEqual([]);
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
