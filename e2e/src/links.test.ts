import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes, takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { VaultClient } from "./vault-client.ts";

const dashboard = setUpDashboard();

const treeItem = (page: Page, name: string) =>
  page.getByRole("treeitem", { name: new RegExp(`^${name}( Actions for .*)?$`) });

async function textOf(vault: VaultClient, path: string, expected: string): Promise<void> {
  await expect.poll(async () => (await vault.read(path)).content, { timeout: 10_000 }).toBe(expected);
}

it("renames a note with the links to it, says how many, and takes both back", async () => {
  const { page, vault } = await dashboard.visit({ size: "desktop" });
  await vault.write("Heron.md", "A bird.\n");
  await vault.write("One.md", "[[Heron]] and ![[Heron#^id|it]]\n");
  await vault.write("Pond/Two.md", "[bird](../Heron.md#legs)\n");
  await page.goto("/documents");
  await treeItem(page, "Heron").click();
  await page.getByRole("article", { name: "Heron" }).waitFor();
  await treeItem(page, "Heron").focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("Grey heron");
  await page.keyboard.press("Enter");
  const toast = page.getByText("Renamed; 3 links in 2 notes updated");
  await toast.waitFor();
  await textOf(vault, "One.md", "[[Grey heron]] and ![[Grey heron#^id|it]]\n");
  await textOf(vault, "Pond/Two.md", "[bird](../Grey%20heron.md#legs)\n");
  expect(await checkThemes(page, "links-updated")).toEqual([]);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await treeItem(page, "Heron").waitFor();
  await textOf(vault, "One.md", "[[Heron]] and ![[Heron#^id|it]]\n");
  await textOf(vault, "Pond/Two.md", "[bird](../Heron.md#legs)\n");
  expect(await vault.exists("Grey heron.md")).toBe(false);
});

it.each(["desktop", "phone"] as const)("offers mentions of a note, and links them, on a %s", async (size) => {
  const { page, vault } = await dashboard.visit({ size });
  const id = await vault.write("Marsh.md", "# Marsh\n");
  await vault.write("Trip.md", "We saw a marsh, and another Marsh. [[Marsh]]\n");
  await vault.write("Diary.md", "The marsh is wide. `marsh`\n");
  await page.goto(`/documents?doc=${id}`);
  await page.getByRole("article", { name: "Marsh" }).waitFor();
  if (size === "phone") await page.getByRole("button", { name: "Properties, links and versions" }).click();
  await page.getByRole("radio", { name: "Links" }).click();
  const mentions = page.getByRole("region", { name: "Unlinked mentions" });
  await mentions.getByText("We saw a marsh", { exact: false }).waitFor();
  expect(await checkThemes(page, `mentions-${size}`)).toEqual([]);
  await mentions.getByRole("button", { name: "Link 2 mentions in Trip" }).click();
  await textOf(vault, "Trip.md", "We saw a [[marsh]], and another [[Marsh]]. [[Marsh]]\n");
  await mentions.getByRole("button", { name: "Link 1 mention in Diary" }).click();
  await textOf(vault, "Diary.md", "The [[marsh]] is wide. `marsh`\n");
  await mentions.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Linked from" }).getByRole("button", { name: "Diary" }).waitFor();
  await takeScreenshot(page, `mentions-linked-${size}`);
});
