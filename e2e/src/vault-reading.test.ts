import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVisitor, endVisit, type Visitor } from "./visitor.ts";

/** So many that the page is there before they are all read. */
const FILES = 12_000;
const READ_WITHIN_MS = 50_000;
/** Longer than the pause between two questions about the vault. */
const NOTICED_WITHIN_MS = 25_000;

let dataDir: string;
let server: TestServer;
let browser: Browser;
let visitor: Visitor;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "workspace-e2e-vault-"));
  await mkdir(join(dataDir, "vault"));
  for (let index = 0; index < FILES; index += 1) {
    await writeFile(
      join(dataDir, "vault", `note-${index}.md`),
      `# Note ${index}\n\nSome words of its own: ${index}.\n`,
    );
  }
  [server, browser] = await Promise.all([startServer({ DATA_DIR: dataDir }), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

afterEach(({ task }) => endVisit(visitor, task));

it("is followed while it is read for the first time, and told where it goes away", async () => {
  visitor = await createVisitor(browser, server);
  const { page } = visitor;
  await page.goto("/documents");
  const progress = page.getByRole("progressbar", { name: "Reading the vault" });
  await progress.waitFor();
  await page.screenshot({ path: "screenshots/documents-first-reading.png" });
  await progress.waitFor({ state: "detached", timeout: READ_WITHIN_MS });
  await page.getByRole("treeitem", { name: /^note-0\b/ }).waitFor();

  await rename(join(dataDir, "vault"), join(dataDir, "elsewhere"));
  visitor.watch.expect(/503/);
  const notice = page.getByRole("alert").filter({ hasText: "no document is changed" });
  await notice.waitFor({ timeout: NOTICED_WITHIN_MS });
  await page.screenshot({ path: "screenshots/documents-vault-away.png" });
  await rename(join(dataDir, "elsewhere"), join(dataDir, "vault"));
  await notice.waitFor({ state: "detached", timeout: NOTICED_WITHIN_MS });
  expect(await page.getByRole("treeitem").count()).toBeGreaterThan(10);
});
