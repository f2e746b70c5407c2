import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { takeScreenshot } from "./appearance.ts";
import {
  createHookSession,
  createSomeMemories,
  createSomeSecrets,
  giveMemories,
  SESSION_ID,
} from "./assistant-data.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  await createSomeMemories(dashboard.api);
  await createHookSession(dashboard.api);
  await createSomeSecrets(dashboard.api);
});

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

const row = (name: RegExp) => page.getByRole("row", { name });
const panel = (name: string) => page.getByRole("complementary", { name });

describe("memories", () => {
  beforeEach(async () => {
    await page.goto("/memory");
    await row(/Write commit messages/).waitFor();
  });

  it("are found by words and by type", async () => {
    await page.getByPlaceholder("Filter").fill("staging dump");
    await row(/Write commit messages/).waitFor({ state: "detached" });
    expect(await row(/staging database/).count()).toBe(2);
    await page.getByPlaceholder("Filter").fill("");
    await page.getByRole("button", { name: /^Type/ }).click();
    await page.getByRole("option", { name: "Decision" }).click();
    await row(/Write commit messages/).waitFor({ state: "detached" });
    expect(await row(/Retries of outgoing webhooks/).count()).toBe(1);
  });

  it("say where they come from and why they are recalled", async () => {
    await row(/flaky checkout test/).click();
    const memory = panel("Memory");
    await memory.getByText("Found it: the toast is replaced").waitFor();
    await memory.getByText("This results in a score of").waitFor();
    await memory.getByRole("link", { name: /^Session/ }).click();
    await page.waitForURL(/\/hooks\/sessions\//);
  });

  it("say when they were given, and take the judgement that they were not useful", async () => {
    await giveMemories(dashboard.api);
    await row(/Retries of outgoing webhooks/).click();
    const given = panel("Memory").getByRole("list", { name: "When it was given" });
    await given.getByText("With the prompt “How do webhooks retry?”").waitFor();
    await given.getByText("120 tokens").waitFor();
    await given.getByText("Use unknown").waitFor();
    const notUseful = given.getByRole("button", { name: "Not useful" });
    await notUseful.focus();
    await page.keyboard.press("Enter");
    await panel("Memory").getByText("used in 0 of 1 session, marked as not useful in 1").waitFor();
    expect(await notUseful.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("Control+z");
    await panel("Memory").getByText("not known from any session yet").waitFor();
    expect(await notUseful.getAttribute("aria-pressed")).toBe("false");
    await visitor.watch.settle();
    await given.getByRole("link", { name: /^Session/ }).click();
    await page.waitForURL(/\/hooks\/sessions\//);
  });

  it("are edited in place", async () => {
    await row(/Write commit messages/).click();
    const text = panel("Memory").getByRole("textbox").first();
    await text.fill("Write commit messages as one sentence that says why.");
    await text.press("Control+Enter");
    await row(/that says why/).waitFor();
    await visitor.watch.settle();
    await page.reload();
    await row(/that says why/).waitFor();
  });

  it("are forgotten together, restored by undo, and listed among the forgotten", async () => {
    const names = [/Moved the image pipeline/, /Queries live in/];
    for (const name of names) await row(name).getByRole("checkbox").check({ force: true });
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("Delete");
    for (const name of names) await row(name).waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    for (const name of names) await row(name).waitFor();
    await visitor.watch.settle();

    await row(/Queries live in/).click();
    await panel("Memory").getByRole("button", { name: "Forget" }).click();
    await row(/Queries live in/).waitFor({ state: "detached" });
    await visitor.watch.settle();
    await page.goto("/memory");
    await page.getByRole("link", { name: "Forgotten" }).click();
    await page.getByRole("heading", { name: "Deleted", level: 1 }).waitFor();
    const forgotten = row(/Queries live in/);
    await forgotten.getByRole("button", { name: "Restore" }).click();
    await forgotten.waitFor({ state: "detached" });
    await visitor.watch.settle();
  });

  it("are on one page with everything else that was deleted, which says until when, and restores it", async () => {
    const { api } = dashboard;
    const create = async (procedure: string, input: Record<string, unknown>) => {
      const [created] = await api.mutateAll<{ id: string }>(procedure, [input]);
      return { id: created?.id ?? "" };
    };
    await visitor.vault.write("Gone note.md", "text");
    await api.mutateAll("fs.delete", [{ path: "/Gone note.md" }]);
    await api.mutateAll("tasks.delete", [await create("tasks.create", { title: "Gone task" })]);
    await api.mutateAll("projects.delete", [
      await create("projects.create", { name: "Gone project", color: "#2563c9" }),
    ]);
    await api.mutateAll("memory.delete", [await create("memory.store", { content: "Gone memory", chunkType: "fact" })]);
    await page.goto("/deleted");
    await row(/Gone task.*Kept/).waitFor();
    await row(/Gone note.*Until/).waitFor();
    await page.getByRole("radio", { name: "Projects" }).click();
    await row(/Gone task/).waitFor({ state: "detached" });
    await row(/Gone project/).waitFor();
    await page.getByRole("radio", { name: "All" }).click();
    for (const name of [/Gone memory.*Until/, /Gone project/, /Gone note/, /Gone task/]) {
      await row(name).getByRole("button", { name: "Restore" }).click();
      await row(name).waitFor({ state: "detached" });
    }
    await visitor.watch.settle();
    expect(await visitor.vault.exists("Gone note.md")).toBe(true);
  });

  it("that repeat each other are merged into one", async () => {
    await page.getByRole("button", { name: /May repeat another/ }).click();
    await row(/each night at 3:00/).click();
    await panel("Memory")
      .getByRole("button", { name: /Merge|Compare/ })
      .click();
    const dialog = page.getByRole("dialog", { name: "Merge memories" });
    await dialog.getByLabel("Merged text").fill("Staging is reset nightly at 3:00 from a production dump.");
    await takeScreenshot(page, "memory-merge");
    await dialog.getByRole("button", { name: "Merge into one" }).click();
    await visitor.watch.settle();
    await page.goto("/memory");
    await row(/Staging is reset nightly/).waitFor();
    expect(await row(/staging database is reset/).count()).toBe(0);
  });
});

describe("what the assistant does", () => {
  it("is shown in a timeline that can be filtered to blocked calls, with the reason", async () => {
    await page.goto("/hooks");
    await row(/WebFetch/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Blocked" }).click();
    await row(/WebFetch/)
      .first()
      .waitFor({ state: "detached" });
    await row(/Bash/).click();
    await panel("Event").getByText("Force pushes to main are not allowed.").first().waitFor();
    await page.getByRole("radio", { name: "Policy" }).click();
    await panel("Event").waitFor({ state: "detached" });
    await page.getByRole("radio", { name: "Timeline" }).click();
    await panel("Event").getByText("Force pushes to main are not allowed.").first().waitFor();
  });

  it("is counted per tool and per day", async () => {
    await page.goto("/hooks?view=statistics");
    await page.getByText("Block rate").waitFor();
    const table = page.getByRole("table").filter({ hasText: "Average" });
    expect(await table.getByRole("row", { name: /^Bash/ }).getByRole("cell").allTextContents()).toEqual(
      expect.arrayContaining(["4", "1"]),
    );
  });

  it("is shown in full for one session: calls, blocked calls and memories", async () => {
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    const overview = page.getByLabel("Overview");
    await overview.getByText("Force pushes to main are not allowed.").waitFor();
    // Among the memories from it, and among those that it was given.
    await overview
      .getByText(/Retries of outgoing webhooks/)
      .first()
      .waitFor();
  });

  it("shows what each turn of a session changed, and how to undo it", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    const turns = page.getByRole("region", { name: "Turns that changed files" });
    await turns.getByText("Turn 1 The webhook retries hammer the partner.").waitFor();
    await turns.getByRole("listitem").filter({ hasText: "src/webhooks/old.ts" }).getByLabel("Deleted").waitFor();
    await takeScreenshot(page, "session-turns");
    await turns.getByRole("button", { name: /^Undo src\/webhooks\/old\.ts/ }).click();
    const command = `cd /home/ada/code/shop && workspace-hooks undo --session ${SESSION_ID} --turn 1`;
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(clipboard).toBe(`${command} --file src/webhooks/old.ts`);
    await turns.getByRole("button", { name: /^Undo turn 1/ }).click();
    await expect.poll(clipboard).toBe(command);
  });
});

describe("the memory settings", () => {
  it("set the tokens for all projects and for one of them, and are stored", async () => {
    await page.goto("/hooks?view=memory");
    const all = page.getByRole("group", { name: "All projects" });
    await all.getByLabel("With a prompt").fill("many");
    await all.getByText("Enter a whole number from 0 to 2,500.").waitFor();
    expect(await page.getByRole("button", { name: "Save settings" }).isDisabled()).toBe(true);
    await all.getByLabel("With a prompt").fill("200");
    await page.getByLabel("Limits for one project").fill("../..");
    await page.getByText("Enter a git remote, or the whole path of a folder.").waitFor();
    expect(await page.locator("datalist option").allTextContents()).toContain("/home/ada/code/shop");
    await page.getByLabel("Limits for one project").fill("github.com/ada/app");
    await page.getByRole("button", { name: "Add project" }).click();
    await page.getByRole("group", { name: "github.com/ada/app" }).getByLabel("For a file").fill("0");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByText("version 1").waitFor();
    await page.getByText("No session and no memory is from this project yet.").waitFor();
    await takeScreenshot(page, "memory-settings");
    const settings = await dashboard.api.query<object>("hooks.getMemorySettings", {});
    expect(settings).toMatchObject({
      standard: { sessionStart: 2500, prompt: 200, file: 150 },
      projects: [{ project: "github.com/ada/app", sessionStart: 2500, prompt: 200, file: 0 }],
    });
    await page.reload();
    expect(await all.getByLabel("With a prompt").inputValue()).toBe("200");
  });
});

describe("a secret", () => {
  const VALUE = "correct horse battery staple";

  it("is in neither the page nor any response until it is revealed, and gone 30 seconds later", async () => {
    const bodies: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/api/")) bodies.push(response.text().catch(() => ""));
    });
    await page.clock.install();
    await page.goto("/secrets");
    await row(/SMTP_PASSWORD/).click();
    const secret = panel("Secret");
    await secret.getByText("The value is hidden.").waitFor({ state: "attached" });
    expect(await page.content()).not.toContain(VALUE);
    expect((await Promise.all(bodies)).join()).not.toContain(VALUE);

    await secret.getByRole("button", { name: "Reveal" }).click();
    await secret.getByLabel("The value").getByText(VALUE).waitFor();
    await page.clock.fastForward(29_000);
    await secret.getByLabel("The value").getByText(VALUE).waitFor();
    await page.clock.fastForward(2_000);
    await secret.getByText("The value is hidden.").waitFor({ state: "attached" });
    expect(await page.content()).not.toContain(VALUE);
    // Later visits of this profile would have the same clock.
    await page.context().close();
  });

  it("is created, replaced, copied unseen, and deleted only after its name is typed", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/secrets");
    await page.getByRole("button", { name: "New secret" }).click();
    const dialog = page.getByRole("dialog", { name: "New secret" });
    await dialog.getByLabel("Name").fill("backup token");
    await dialog.getByLabel("Value").fill("first-value");
    await dialog.getByRole("button", { name: "Create secret" }).click();
    await row(/BACKUP_TOKEN/).click();
    const secret = panel("Secret");
    await secret.getByRole("button", { name: "Replace the value" }).click();
    await secret
      .getByLabel(/New value|Value/)
      .last()
      .fill("second-value");
    await secret
      .getByRole("button", { name: /Save|Replace/ })
      .last()
      .click();
    await secret.getByRole("button", { name: "Replace the value" }).waitFor();
    await secret.getByRole("button", { name: /^Copy/ }).first().click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("second-value");
    expect(await page.content()).not.toContain("second-value");

    await secret.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("dialog", { name: "Delete BACKUP_TOKEN?" });
    expect(await question.getByRole("button", { name: "Delete permanently" }).isDisabled()).toBe(true);
    await question.getByRole("textbox").fill("BACKUP_TOKEN");
    await question.getByRole("button", { name: "Delete permanently" }).click();
    await row(/BACKUP_TOKEN/).waitFor({ state: "detached" });
    await visitor.watch.settle();
  });

  it("stays readable when the encryption key is rotated", async () => {
    await page.goto("/secrets");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Rotate the encryption key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /Rotate/ }).click();
    await visitor.watch.settle();
    await page.keyboard.press("Escape");
    await row(/SMTP_PASSWORD/).click();
    await panel("Secret").getByRole("button", { name: "Reveal" }).click();
    await panel("Secret").getByText(VALUE).waitFor();
  });
});
