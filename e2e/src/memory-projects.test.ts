import { beforeAll, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";

const PROJECT = "github.com/Ada/Webshop";
const OWN = "Webshop: prices are in cents.";
const OTHER = "Blog: posts are in Markdown.";

const dashboard = setUpDashboard();

beforeAll(async () => {
  const start = {
    eventType: "SessionStart",
    sessionId: "s",
    projectDir: "/p/Webshop",
    eventData: { project: PROJECT },
  };
  await dashboard.api.mutateAll("hooks.recordEvent", [start]);
  await dashboard.api.mutateAll("memory.store", [
    { content: OWN, chunkType: "fact", projectPath: PROJECT },
    { content: OTHER, chunkType: "fact", projectPath: "github.com/Ada/Blog" },
  ]);
});

it.each(["github.com/ada/webshop", "git@github.com:Ada/Webshop.git", "https://github.com/Ada/Webshop", "/p/Webshop"])(
  "memories are filtered by a project that is given by %s",
  async (given) => {
    const { page, watch } = await dashboard.visit();
    await page.goto(`/memory?project=${encodeURIComponent(given)}`);
    await page.getByRole("row", { name: OWN }).waitFor();
    expect(await page.getByRole("row", { name: OTHER }).count()).toBe(0);
    await page.getByRole("button", { name: "Project: Webshop" }).waitFor();
    await watch.settle();
  },
);

it("a project is chosen by typing the URL of its repository", async () => {
  const { page, watch } = await dashboard.visit();
  await page.goto("/memory");
  await page.getByRole("row", { name: OTHER }).waitFor();
  await page.getByRole("button", { name: "Project", exact: true }).click();
  await page.getByPlaceholder("Filter by project").fill("https://github.com/ada/webshop.git");
  await page.getByRole("option", { name: "The project of" }).click();
  await page.getByRole("row", { name: OTHER }).waitFor({ state: "detached" });
  await page.getByRole("row", { name: OWN }).waitFor();
  await page.keyboard.press("Escape");
  await watch.settle();
});
