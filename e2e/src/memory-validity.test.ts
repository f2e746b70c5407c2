import { beforeAll, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SIZES, type Size } from "./window.ts";

const OLD = "Staging listens on port 5432.";
const NEW = "Staging listens on port 5433.";
const CITED = "Requests are limited to 100 per minute.";

const dashboard = setUpDashboard();

beforeAll(async () => {
  const [old] = await dashboard.api.mutateAll<{ id: string }>("memory.store", [{ content: OLD, chunkType: "fact" }]);
  await dashboard.api.mutateAll("memory.store", [{ content: NEW, chunkType: "fact", supersedes: [old?.id] }]);
  const citations = [{ path: "src/limits.ts", startLine: 3, endLine: 5 }];
  const cited = { content: CITED, chunkType: "fact", projectPath: "/home/ada/shop", citations };
  await dashboard.api.mutateAll("memory.store", [cited]);
  const [citation] = await dashboard.api.query<{ id: string }[]>("memory.listCitations", {
    project: cited.projectPath,
  });
  const check = { id: citation?.id, holds: false, fingerprint: "f" };
  await dashboard.api.mutateAll("memory.checkCitations", [{ checks: [check] }]);
});

it("a memory shows which one replaced it, and is valid again at a click, which can be undone", async () => {
  const { page, watch } = await dashboard.visit();
  await page.goto("/memory");
  await page.getByRole("row", { name: OLD }).getByText("Replaced").waitFor();
  await page.getByRole("row", { name: NEW }).click();
  const validity = page
    .getByRole("complementary", { name: "Memory" })
    .getByRole("region", { name: "Whether it is valid" });
  await validity.getByText("It replaced").waitFor();
  await validity.getByRole("link", { name: OLD }).click();
  await validity.getByText("Replaced by").waitFor();
  await watch.settle();
  expect(await checkThemes(page, "memory-validity")).toEqual([]);

  await validity.getByRole("button", { name: "Both are valid" }).click();
  await validity.getByRole("link", { name: NEW }).waitFor({ state: "detached" });
  await watch.settle();
  await page.keyboard.press("Control+z");
  await validity.getByRole("link", { name: NEW }).waitFor();
  await watch.settle();
});

it.each(Object.keys(SIZES) as Size[])("a withheld memory is accessible on a %s", async (size) => {
  const { page, watch } = await dashboard.visit({ size });
  await page.goto("/memory");
  await page.getByRole("row", { name: CITED }).click();
  await page.getByRole("region", { name: "Withheld" }).getByText("src/limits.ts:3–5").waitFor();
  await watch.settle();
  expect(await checkThemes(page, `memory-withheld-${size}`)).toEqual([]);
});

it("a memory whose lines have changed is withheld until it is confirmed, which can be undone", async () => {
  const { page, watch } = await dashboard.visit();
  await page.goto("/memory");
  const row = page.getByRole("row", { name: CITED });
  await row.getByText("Withheld").waitFor();
  await page.getByRole("button", { name: "Withheld 1" }).click();
  await page.getByRole("row", { name: NEW }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Clear" }).click();
  await row.click();
  const panel = page.getByRole("complementary", { name: "Memory" });
  await panel.getByRole("button", { name: "It still holds" }).click();
  await panel.getByText("not found, confirmed").waitFor();
  await row.getByText("Withheld").waitFor({ state: "detached" });
  await watch.settle();
  await page.keyboard.press("Control+z");
  await row.getByText("Withheld").waitFor();
  await watch.settle();
});
