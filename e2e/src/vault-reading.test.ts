import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

/** Enough for the page to be shown before all files have been read. */
const FILE_COUNT = 12_000;
const READ_WITHIN_MS = 50_000;
/** Longer than the interval at which the vault's status is polled. */
const NOTICED_WITHIN_MS = 25_000;

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "workspace-e2e-vault-"));
  await mkdir(join(dataDir, "vault"));
  for (let index = 0; index < FILE_COUNT; index += 1) {
    await writeFile(
      join(dataDir, "vault", `note-${index}.md`),
      `# Note ${index}\n\nSome words of its own: ${index}.\n`,
    );
  }
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const dashboard = setUpDashboard(() => ({ DATA_DIR: dataDir }));

it("shows progress while it is first read, and a notice when it is unavailable", async () => {
  const { page, watch } = await dashboard.visit();
  await page.goto("/documents");
  const progress = page.getByRole("progressbar", { name: "Reading the vault" });
  await progress.waitFor();
  await takeScreenshot(page, "documents-first-reading");
  await progress.waitFor({ state: "detached", timeout: READ_WITHIN_MS });
  await page.getByRole("treeitem", { name: /^note-0\b/ }).waitFor();

  await rename(join(dataDir, "vault"), join(dataDir, "elsewhere"));
  watch.expect(/503/);
  const notice = page.getByRole("alert").filter({ hasText: "no document is changed" });
  await notice.waitFor({ timeout: NOTICED_WITHIN_MS });
  await takeScreenshot(page, "documents-vault-away");
  await rename(join(dataDir, "elsewhere"), join(dataDir, "vault"));
  await notice.waitFor({ state: "detached", timeout: NOTICED_WITHIN_MS });
  expect(await page.getByRole("treeitem").count()).toBeGreaterThan(10);
});
