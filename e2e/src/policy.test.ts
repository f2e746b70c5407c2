import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkThemes, takeScreenshot } from "./appearance.ts";
import { createHookSession } from "./assistant-data.ts";
import { setUpDashboard } from "./dashboard.ts";
import { tryAgain, type Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeAll(() => createHookSession(dashboard.api));

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

describe("the policy", () => {
  it("is enabled rule by rule, rejects invalid rules, and is stored", async () => {
    await page.goto("/hooks?view=policy");
    await page.getByRole("checkbox", { name: /Force-pushing to main/ }).check();
    await page.getByRole("radio", { name: "JSON" }).click();
    const rules = page.getByLabel("Rules as JSON");
    await rules.fill('[{ "id": "no-npm", "decision": "block" }]');
    await page.getByText("Rule 1: “decision” must be deny, ask, undo or warn.").waitFor();
    expect(await page.getByRole("button", { name: "Save policy" }).isDisabled()).toBe(true);
    await rules.fill('[{ "id": "no-npm", "decision": "warn", "when": { "command": { "program": "npm" } } }]');
    await page.getByRole("button", { name: "Save policy" }).click();
    await page.getByText("version 1").waitFor();
    const { document } = await dashboard.api.query<{ document: object }>("hooks.getPolicy", {});
    expect(document).toMatchObject({ version: 1, use: ["force-push-main"], rules: [{ id: "no-npm" }] });
    await page.reload();
    expect(await page.getByRole("checkbox", { name: /Force-pushing to main/ }).isChecked()).toBe(true);
  });

  it("has rules that are edited in a form, with the keyboard alone, and tried on a command as they change", async () => {
    await page.goto("/hooks?view=policy");
    const command = page.getByLabel("Test a command");
    await command.fill("pnpm publish --tag next");
    await page.getByRole("status").getByText("Allowed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add a rule" }).focus();
    await page.keyboard.press("Enter");
    const rule = page
      .getByRole("listitem")
      .filter({ has: page.getByLabel("What happens", { exact: true }) })
      .last();
    await expect.poll(() => rule.getByLabel("Name").evaluate((input) => input === document.activeElement)).toBe(true);
    await page.getByText("at least one of its conditions has to be filled in").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("no-publishing");
    await rule.getByLabel("What happens", { exact: true }).selectOption("deny");
    await rule.getByLabel("Reason").fill("The pipeline publishes.");
    await rule.getByLabel("Programs").pressSequentially("npm, pnpm");
    await rule.getByLabel("Command contains").fill("(publish");
    await page.getByText(/^Rule 2: when.command.matches: /).waitFor();
    expect(await page.getByRole("button", { name: "Save policy" }).isDisabled()).toBe(true);
    await rule.getByLabel("Command contains").fill("\\bpublish\\b");
    await page.getByRole("status").getByText("Refused").waitFor();
    await page.getByRole("status").getByText("The pipeline publishes.").waitFor();
    await rule.getByLabel("Projects").fill("~/code/shop");
    await page.getByRole("status").getByText("Allowed", { exact: true }).waitFor();
    await page.getByLabel("In the folder").fill("/home/ada/code/shop");
    await page.getByRole("status").getByText("Refused").waitFor();
    await takeScreenshot(page, "hook-policy");
    await page.getByRole("button", { name: "Save policy" }).click();
    const stored = async () => (await dashboard.api.query<{ document: object }>("hooks.getPolicy", {})).document;
    await expect.poll(stored).toMatchObject({
      rules: [
        { id: "no-npm" },
        {
          id: "no-publishing",
          decision: "deny",
          reason: "The pipeline publishes.",
          when: { project: "~/code/shop", command: { program: ["npm", "pnpm"], matches: "\\bpublish\\b" } },
        },
      ],
    });
    await page.getByText("no-npm", { exact: true }).click();
    await page
      .getByRole("listitem")
      .filter({ hasText: "no-npm" })
      .getByRole("button", { name: "Delete the rule" })
      .click();
    const add = page.getByRole("button", { name: "Add a rule" });
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await page.getByRole("button", { name: "Delete the rule" }).count()).toBe(0);
    await page.getByRole("button", { name: "Save policy" }).click();
    await expect.poll(stored).toMatchObject({ rules: [{ id: "no-publishing" }] });
  });

  it("is tried on a recorded session before it is saved", async () => {
    await page.goto("/hooks?view=policy");
    const replay = page.getByRole("region", { name: "Replay a session" });
    const session = replay.getByLabel("Session");
    await session.selectOption({
      label: (await session.locator("option").filter({ hasText: "webhook retries" }).textContent()) ?? "",
    });
    await replay.getByText(/^Of 7 calls, 1 would have been refused/).waitFor();
    await replay.getByText("git push --force origin main", { exact: false }).first().waitFor();
    await page.getByRole("checkbox", { name: /Force-pushing to main/ }).uncheck();
    await replay.getByText(/^Of 7 calls, 0 would have been refused/).waitFor();
    await page.getByRole("button", { name: "Add a rule" }).click();
    const rule = page
      .getByRole("listitem")
      .filter({ has: page.getByLabel("What happens", { exact: true }) })
      .last();
    await rule.getByLabel("Files").fill("src/webhooks/**");
    await rule.getByRole("checkbox", { name: "Written" }).check();
    await replay.getByText(/0 would have been refused, 1 asked about/).waitFor();
    await replay.getByRole("listitem").filter({ hasText: "Edit: /home/ada/code/shop/src/webhooks/retry.ts" }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await replay.scrollIntoViewIfNeeded();
    expect(await checkThemes(page, "hook-policy-replay")).toEqual([]);
    await rule.scrollIntoViewIfNeeded();
    await takeScreenshot(page, "hook-policy-rule-phone");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const controls = rule.locator("input:not([type=checkbox]), select");
    const ends = await controls.evaluateAll((all) => all.map((control) => control.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThan(360);
    await page.getByRole("button", { name: "Discard changes" }).click();
    await replay.getByText(/1 would have been refused/).waitFor();
    visitor.watch.expect(/Failed to load resource/);
    await page.route(/hooks\.listEvents/, (route) => route.abort());
    await page.reload();
    await replay.getByText("The sessions could not be loaded.").waitFor();
    await page.unroute(/hooks\.listEvents/);
    await tryAgain(replay, session.locator("option").filter({ hasText: "webhook retries" }), "attached");
  });

  it("judges the latest calls of a long session first, and earlier ones on demand", async () => {
    const at = (second: number) => new Date(Date.now() - 600_000 + second * 1_000).toISOString();
    const common = { sessionId: "a-long-session", projectDir: "/home/ada/code/long" };
    const calls = Array.from({ length: 210 }, (_, index) => ({
      ...common,
      eventType: "PreToolUse",
      toolName: "Bash",
      eventData: { toolInput: { command: index === 0 ? "git push --force origin main" : `make step-${index}` } },
      occurredAt: at(index + 1),
    }));
    const events = [{ ...common, eventType: "SessionStart", occurredAt: at(0) }, ...calls];
    await dashboard.api.mutateAll("hooks.recordEvents", [{ events }]);
    await page.goto("/hooks?view=policy");
    const replay = page.getByRole("region", { name: "Replay a session" });
    await replay.getByLabel("Session").selectOption("a-long-session");
    await replay.getByText(/^Of 200 calls, 0 would have been refused/).waitFor();
    await replay.getByRole("button", { name: "Judge earlier calls, too" }).click();
    await replay.getByText(/^Of 210 calls, 1 would have been refused/).waitFor();
    await replay.getByRole("button", { name: "Judge earlier calls, too" }).waitFor({ state: "detached" });
  });
});

describe("the packs of the policy", () => {
  it("are switched on, changed rule by rule, tried on a command as it is typed, and stored", async () => {
    await page.goto("/hooks?view=policy");
    const command = page.getByLabel("Test a command");
    await command.fill("cd infra && terraform destroy -auto-approve");
    await page.getByRole("status").getByText("Allowed", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: /^Safe/ }).check();
    await page.getByRole("status").getByText("Asked about").waitFor();
    await page.getByRole("status").getByText("Destroys infrastructure.").waitFor();
    await page.getByText("Rules of Infrastructure").click();
    await page.getByLabel("What happens: Destroys infrastructure.").selectOption("deny");
    await page.getByRole("status").getByText("Refused").waitFor();
    await takeScreenshot(page, "hook-policy-packs");
    await page.getByRole("button", { name: "Save policy" }).click();
    const stored = async () => (await dashboard.api.query<{ document: object }>("hooks.getPolicy", {})).document;
    await expect.poll(stored).toMatchObject({ packs: ["safe"], decisions: { "infrastructure.destroy": "deny" } });
    await page.reload();
    expect(await page.getByRole("checkbox", { name: /^Safe/ }).isChecked()).toBe(true);
  });
});
