import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const PATIENCE = { timeout: 200_000 };

interface BackupStatus {
  readonly lastDrill: { readonly isScheduled: boolean } | null;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workspace-backups-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const dashboard = setUpDashboard();

it("one chooses where backups go, makes one, checks it, tries out a restore, and learns of a failure", async () => {
  const { page, watch } = await dashboard.visit();
  watch.expect(/400|409/);
  const place = join(folder, "backups");
  await page.goto("/settings?view=backups");
  const state = page.getByRole("list", { name: "State" });
  await state.getByText("None yet").first().waitFor();
  expect(await page.getByRole("button", { name: "Back up now" }).isDisabled()).toBe(true);
  expect(await checkThemes(page, "settings-backups-empty")).toEqual([]);

  await page.getByRole("checkbox", { name: "Make backups by schedule" }).check();
  await page.getByLabel("Folder or bucket").fill("backups");
  await page.getByRole("button", { name: "Save backup settings" }).click();
  await page.getByText(/Not saved\. .*absolute path/).waitFor(PATIENCE);
  await page.getByLabel("Folder or bucket").fill("s3://bucket/path");
  await page.getByLabel("Endpoint").fill("https://s3.example.org");
  expect(await checkThemes(page, "settings-backups-store")).toEqual([]);
  await page.getByLabel("Folder or bucket").fill(place);
  await page.getByLabel("Passphrase").fill("correct horse");
  await page.getByLabel("When").selectOption({ label: "Every week" });
  await page.getByLabel("On", { exact: true }).selectOption({ label: "Sunday" });
  await page.getByRole("button", { name: "Save backup settings" }).click();
  await page.getByText("The backup settings have been saved").waitFor(PATIENCE);
  await page.getByText("None yet.", { exact: true }).waitFor(PATIENCE);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export everything" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^workspace-.*\.zip$/);

  await page.getByRole("button", { name: "Back up now" }).click();
  await state.getByText(/rows and .*, stored/).waitFor(PATIENCE);
  const stored = page.getByRole("list", { name: "Stored backups" });
  await checkUntil("Whole");
  const isShown = page.getByText("Trying out a restore…").waitFor(PATIENCE);
  await clickUntil(page.getByRole("button", { name: "Try out a restore" }), async () => {
    const { lastDrill } = await dashboard.api.query<BackupStatus>("backups.status", {});
    return lastDrill?.isScheduled === false;
  });
  await isShown;
  await state
    .getByText(/just now|min ago/)
    .nth(1)
    .waitFor(PATIENCE);
  expect(await checkThemes(page, "settings-backups")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "settings-backups-phone")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });

  const chunks = join(place, "chunks");
  for (const name of await readdir(chunks, { recursive: true })) {
    if (name.includes("/")) await writeFile(join(chunks, name), "damaged");
  }
  await writeFile(join(place, "backups", "20200101T000000Z-00000000.manifest"), "damaged");
  await checkUntil("Damaged");
  await page.getByText("A backup is damaged").waitFor();
  await expect.poll(() => stored.getByText("Damaged").count(), PATIENCE).toBe(2);
  expect(await checkThemes(page, "settings-backups-damaged")).toEqual([]);
  await page.goto("/");
  await page.getByText("A backup is damaged").waitFor();
  expect(await checkThemes(page, "home-backup-damaged")).toEqual([]);
  await page.getByRole("link", { name: "Backup settings" }).click();
  await state.waitFor();

  async function checkUntil(verdict: string): Promise<void> {
    await clickUntil(stored.getByRole("button", { name: /^Check / }).first(), () =>
      stored.getByText(verdict).first().isVisible(),
    );
  }
}, 600_000);

/** One thing is done at a time, and the first drill begins by itself at some moment after the first backup. */
async function clickUntil(button: Locator, isDone: () => Promise<boolean>): Promise<void> {
  const tryOnce = async (): Promise<boolean> => {
    if (await isDone()) return true;
    if (await button.isEnabled()) await button.click(PATIENCE);
    return false;
  };
  await expect.poll(tryOnce, { ...PATIENCE, interval: 1_000 }).toBe(true);
}
