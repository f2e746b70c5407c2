import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { launchBrowser } from "./browser.ts";
import { createVault } from "./vault-client.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVisitor, THEMES } from "./visitor.ts";

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

describe.each(["desktop", "phone"] as const)("documents as they look on a %s", (size) => {
  it("have no serious accessibility problem in either theme, and no complaint of the page", async () => {
    const { context, page, watch, close } = await createVisitor(browser, server, { size });
    const vault = createVault(context.request, server.url);
    for (const path of ["Inbox/Ideas.md", "Trips/Lisbon.md", "Trips/Porto/Hotel.md", "Reading list.md", "scan.pdf"]) {
      await vault.write(path, `# ${path}\n`);
    }
    await vault.write("Old.md", "old");
    const deletion = { data: { path: "Old.md" }, headers: { origin: server.url } };
    expect((await context.request.post("/api/fs/delete", deletion)).status()).toBe(200);
    const id = await vault.write("Looks.md", LOOKS);
    const problems: string[] = [];
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [name, address] of [
        ["files", "/documents"],
        ["note", `/documents?doc=${id}`],
        ["deleted", "/documents/deleted"],
      ] as const) {
        await page.goto(address);
        await page.waitForLoadState("networkidle");
        await page.screenshot({ path: `screenshots/documents-${name}-${size}-${theme}.png` });
        problems.push(...(await findAccessibilityProblems(page)).map((problem) => `${name}, ${theme}: ${problem}`));
      }
      await page.goto(`/documents?doc=${id}`);
      await page.getByRole("button", { name: "Read", exact: true }).click();
      await page.getByRole("heading", { name: "Looks" }).waitFor();
      await page.screenshot({ path: `screenshots/documents-reading-${size}-${theme}.png` });
      problems.push(...(await findAccessibilityProblems(page)).map((problem) => `reading, ${theme}: ${problem}`));
      await page.getByRole("button", { name: "Write", exact: true }).click();
    }
    expect([...problems, ...watch.problems]).toEqual([]);
    await close();
  });
});

const LOOKS = `# Looks

Some **bold** text with a [[Missing]] link, \`code\` and a [site](https://example.com).

- [x] done
- [ ] to do
- a bullet

> a quote

| A | B |
|---|---|
| 1 | 2 |

\`\`\`
code
\`\`\`
`;
