import { createServer } from "node:net";
import { once } from "node:events";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useBrowser } from "./browser.ts";
import { watchPage, type PageWatch } from "./page-watch.ts";
import { startPrefixProxy, type PrefixProxy } from "./prefix-proxy.ts";
import { startServer } from "./server.ts";
import type { TestServer } from "./server-process.ts";

let proxy: PrefixProxy;
let host: string;
let server: TestServer;
let port: string;
let context: BrowserContext;
let page: Page;
let watch: PageWatch;

beforeAll(async () => {
  proxy = await startPrefixProxy();
  host = `http://localhost:${proxy.port}`;
  port = await findFreePort();
  server = await startServer({ SERVICE_AUTH_URL: `${host}/workspace` }, { port });
  proxy.pointTo(port);
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

beforeEach(async () => {
  context = await (await useBrowser()).newContext({ locale: "en-GB", reducedMotion: "reduce" });
  context.setDefaultTimeout(20_000);
  page = await context.newPage();
  watch = await watchPage(page);
  await page.goto(`${host}/workspace`);
  await page.getByLabel("Email").fill(server.email);
  await page.getByLabel("Password").fill(server.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
});
afterEach(async () => {
  await context.close();
  if (watch.problems.length > 0) throw new Error(`The page complained:\n${watch.problems.join("\n")}`);
});

const pathNow = () => new URL(page.url()).pathname;

describe("below a path of a host that others use, too", () => {
  it("pages, links and changes stay there, and nothing is left to the others", async () => {
    expect(pathNow()).toBe("/workspace/");
    const cookies = await context.cookies();
    expect(cookies.map(({ path }) => path)).toEqual(["/workspace"]);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    expect(pathNow()).toBe("/workspace/tasks");
    await page
      .getByPlaceholder(/^Add a task|dentist/)
      .first()
      .fill("Water the plants");
    await page.keyboard.press("Enter");
    await page.getByText("Water the plants").first().waitFor();
    await page.reload();
    await page.getByText("Water the plants").first().waitFor();
    // By the WebSocket: another page shows it without being reloaded.
    const other = await context.newPage();
    await other.goto(`${host}/workspace/tasks?view=list`);
    await other.getByText("Water the plants").first().waitFor();
    await other
      .getByPlaceholder(/^Add a task|dentist/)
      .first()
      .fill("Feed the cat");
    await other.keyboard.press("Enter");
    await page.getByText("Feed the cat").first().waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
    await page.waitForURL(`${host}/workspace/`);
    const stored = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...(await indexedDB.databases()).map(({ name }) => name ?? ""),
    ]);
    expect(stored.length).toBeGreaterThan(0);
    for (const name of stored) expect(name).toContain("/workspace");
  });

  it("what is to be pasted elsewhere names it", async () => {
    await page.goto(`${host}/workspace/connect`);
    await page.getByText(`${host}/workspace/mcp`).first().waitFor();
    const text = await page.getByRole("main").innerText();
    const urls = [...text.matchAll(/http:\/\/localhost:\d+[^\s"]*/g)].map(([url]) => url);
    expect(urls.length).toBeGreaterThan(5);
    expect(urls.filter((url) => !url.startsWith(`${host}/workspace`))).toEqual([]);
  });

  it("notes show their images, formulas and diagrams", async () => {
    const put = async (path: string, data: Buffer): Promise<void> => {
      const url = `${host}/workspace/api/fs/raw?path=/${path}`;
      expect((await context.request.put(url, { data, headers: { Origin: host } })).ok()).toBe(true);
    };
    await put("dot.png", Buffer.from(PIXEL, "base64"));
    await put("note.md", Buffer.from(NOTE));
    await page.goto(`${host}/workspace/documents`);
    await page.getByText("note", { exact: true }).first().click();
    await page.getByRole("button", { name: "Read", exact: true }).click();
    const image = page.getByRole("img", { name: "dot" });
    await image.waitFor();
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
    await page.locator("math").first().waitFor();
    const diagram = page.getByRole("img", { name: "Diagram: graph TD" });
    await diagram.scrollIntoViewIfNeeded();
    await diagram.waitFor({ timeout: 60_000 });
    expect(pathNow()).toBe("/workspace/documents");
  });

  it("pages open while the server is away, and the other site is not taken for one of them", async () => {
    await page.goto(`${host}/workspace/tasks?view=list`);
    const isKept = () => page.evaluate(async () => (await caches.match("/workspace/offline-files.json")) !== undefined);
    await expect.poll(isKept, { timeout: 60_000 }).toBe(true);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(`${host}/workspace/`);
    watch.expect(/./);
    proxy.pointTo(null);
    await page.reload();
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    await page.goto(`${host}/workspace/`);
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await page.goto(`${host}/`);
    await page.getByRole("heading", { name: "Another site" }).waitFor();
    proxy.pointTo(port);
  });

  it("whoever opens the server itself, without the path, continues below it", async () => {
    await page.goto(`http://localhost:${port}/tasks?view=board`);
    await page.waitForURL(`http://localhost:${port}/workspace/**`);
  });
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const NOTE = "# A note\n\n![dot](dot.png)\n\n$x^2$\n\n```mermaid\ngraph TD; a-->b\n```\n";

async function findFreePort(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("The system gave no free port.");
  return String(address.port);
}
