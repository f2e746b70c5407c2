import { beforeEach, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;

beforeEach(async () => {
  visitor = await dashboard.visit();
});

interface StoredTask {
  readonly id: string;
  readonly title: string;
}

const LINES = "- [ ] Plan the trip tomorrow !high\n  - [x] Choose a town\n  - [ ] Book a hotel #travel\n- Buy a map\n";

async function paste(text: string): Promise<void> {
  const { page } = visitor;
  await page.getByRole("textbox", { name: "New task" }).focus();
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    // The form may have taken the place of the plain field, and its focus.
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

it("creates tasks and subtasks from pasted lines after showing what was understood", async () => {
  const { page } = visitor;
  await page.goto("/tasks?view=list");
  await paste(LINES);
  const pasted = page.getByRole("region", { name: "Pasted tasks" });
  await pasted.getByRole("listitem").nth(3).waitFor();
  expect(await pasted.getByRole("listitem").count()).toBe(4);
  await pasted.getByRole("button", { name: /^Due date: Tomorrow/ }).waitFor();
  await takeScreenshot(page, "task-paste");
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await pasted.getByRole("button", { name: /^Priority/ }).click();
  await pasted.getByText("Plan the trip !high").waitFor();
  await pasted.getByRole("button", { name: "Add 4 tasks" }).click();
  await page.getByText("Created 4 tasks").waitFor();
  const tasks = await dashboard.api.query<StoredTask[]>("tasks.list", {});
  const byTitle = new Map(tasks.map((task) => [task.title, task]));
  const trip = byTitle.get("Plan the trip !high");
  expect(trip).toMatchObject({ parentId: null, dueDate: expect.any(String) });
  expect(byTitle.get("Choose a town")).toMatchObject({ parentId: trip?.id, status: "done" });
  expect(byTitle.get("Book a hotel")).toMatchObject({ parentId: trip?.id, tags: ["travel"] });
  expect(byTitle.get("Buy a map")).toMatchObject({ parentId: null });
});

it("takes pasted lines as one title, or leaves them", async () => {
  const { page } = visitor;
  await page.goto("/tasks?view=list");
  await paste("One\nTwo");
  const pasted = page.getByRole("region", { name: "Pasted tasks" });
  await pasted.getByRole("button", { name: "Add 2 tasks" }).waitFor();
  await page.keyboard.press("Escape");
  await pasted.waitFor({ state: "detached" });
  await paste("One\nTwo");
  await pasted.getByRole("button", { name: "Use as one title" }).click();
  await expect.poll(() => page.getByRole("textbox", { name: "New task" }).inputValue()).toBe("One Two");
});
