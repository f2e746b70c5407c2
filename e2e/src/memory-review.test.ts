import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import { SIZES, type Size } from "./window.ts";

const CONTENTS = [
  "Deployments to staging need the VPN.",
  "Invoices are numbered per year.",
  "The nightly backup runs at three.",
  "Answers to customers are signed by name.",
];

const model = setUpModelDouble("gpt-4.1");
const dashboard = setUpDashboard(model.settings);

beforeAll(async () => {
  const memories = CONTENTS.map((content) => ({ type: "fact", content, excerpt: content, relevance: 0.8 }));
  model.double.reply({ text: JSON.stringify({ memories }) });
  await dashboard.api.mutateAll("memory.extract", [{ transcript: CONTENTS.join(" ") }]);
  await dashboard.api.mutateAll("memory.store", [{ content: "Stored by hand.", chunkType: "fact" }]);
});

const row = (page: Page, name: RegExp) => page.getByRole("row", { name });

it.each(Object.keys(SIZES) as Size[])("the queue is accessible on a %s", async (size) => {
  const { page, watch } = await dashboard.visit({ size });
  await page.goto("/memory?review=1");
  await row(page, /Deployments/).waitFor();
  await page.getByRole("combobox", { name: "Keep memories that nobody reviews" }).waitFor();
  await watch.settle();
  expect(await checkThemes(page, `memory-review-${size}`)).toEqual([]);
});

it("extracted memories are kept, changed and forgotten from the queue, by keyboard", async () => {
  const { page, watch } = await dashboard.visit();
  await page.goto("/memory");
  await page.getByRole("button", { name: "To review 4" }).click();
  await row(page, /Stored by hand/).waitFor({ state: "detached" });
  await watch.settle();

  await page.keyboard.press("j");
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "row");
  await page.keyboard.press("y");
  await page.getByRole("button", { name: "To review 3" }).waitFor();
  await watch.settle();
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "To review 4" }).waitFor();
  await watch.settle();

  await row(page, /Deployments/)
    .getByRole("button", { name: "Keep" })
    .click();
  await page.getByRole("button", { name: "To review 3" }).waitFor();
  expect(await page.getByRole("complementary", { name: "Memory" }).count()).toBe(0);
  await watch.settle();
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "To review 4" }).waitFor();
  await watch.settle();

  for (const name of [/Deployments/, /Invoices/]) await row(page, name).getByRole("checkbox").check({ force: true });
  await page.getByRole("toolbar", { name: "Selected memories" }).getByRole("button", { name: "Keep" }).click();
  await page.getByRole("button", { name: "To review 2" }).waitFor();
  await watch.settle();

  await row(page, /Answers/).click();
  const panel = page.getByRole("complementary", { name: "Memory" });
  await panel.getByRole("heading", { level: 2, name: "Where it comes from" }).waitFor();
  await panel.getByRole("button", { name: "Keep" }).click();
  await panel.getByRole("region", { name: "To review" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "To review 1" }).waitFor();
  await watch.settle();

  const setting = page.getByRole("combobox", { name: "Keep memories that nobody reviews" });
  await setting.selectOption("At once, without a queue");
  const dialog = page.getByRole("dialog", { name: "Keep 1 memory unseen?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "To review 1" }).waitFor();
  expect(await setting.inputValue()).toBe("7");
  await setting.selectOption("At once, without a queue");
  await dialog.getByRole("button", { name: "Keep 1 memory" }).click();
  await page.getByRole("heading", { name: "Everything is reviewed" }).waitFor();
  await watch.settle();
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "To review 1" }).waitFor();
  await expect.poll(() => setting.inputValue()).toBe("7");
  await watch.settle();
  await setting.selectOption("At once, without a queue");
  await dialog.getByRole("button", { name: "Keep 1 memory" }).click();
  await page.getByRole("heading", { name: "Everything is reviewed" }).waitFor();
  await watch.settle();
  expect(await dashboard.api.query("memory.getReviewSettings", {})).toEqual({ keepAfterDays: 0 });
});

it("what is known of a memory stays on one line on a phone", async () => {
  const content = "The staging database is copied from production every night at three";
  const place = { chunkType: "fact", projectPath: "/home/ada/a-project-with-a-long-name" };
  await dashboard.api.mutateAll("memory.store", [{ content, ...place }]);
  await dashboard.api.mutateAll("memory.store", [{ content: `${content}, again`, ...place }]);
  const { page, watch } = await dashboard.visit({ size: "phone" });
  await page.goto("/memory");
  const repeating = row(page, /three, again/)
    .first()
    .getByText("May repeat another");
  await repeating.waitFor();
  await watch.settle();
  const heights = await repeating.evaluate((element) =>
    [...(element.parentElement?.children ?? [])].map((child) => child.getBoundingClientRect().height),
  );
  expect(Math.max(...heights)).toBeLessThan(24);
});
