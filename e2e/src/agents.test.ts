import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkThemes, takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { followPath } from "./navigation.ts";
import { startServer } from "./server.ts";
import { createVisitor, tryAgain, type Visitor } from "./visitor.ts";
import { SIZES, type Size } from "./window.ts";

const MODEL = "model-double";
/** A dollar per million tokens read, five per million written: a call of 10,000 and 2,000 costs two cents. */
const PRICES = { [MODEL]: { input: 1, cachedInput: 0.1, output: 5 } };
const TWO_CENTS = { inputTokens: 10_000, cachedInputTokens: 0, outputTokens: 2_000 };

/** How long Suspense delays content that loads late, to avoid flicker. */
const SHOWN_AFTER_MS = 500;

let model: ModelDouble;
let dir = "";
let pricesPath = "";
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "workspace-prices-"));
  pricesPath = join(dir, "prices.json");
  await writeFile(pricesPath, JSON.stringify(PRICES));
  model = await startModelDouble();
});

afterAll(async () => {
  await model.close();
  await rm(dir, { recursive: true, force: true });
});

const dashboard = setUpDashboard(() => ({
  OPENAI_API_KEY: "key-of-the-double",
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_MODEL: MODEL,
  MODEL_PRICES: pricesPath,
  DAILY_BUDGET_USD: "5",
  TZ: "Europe/Berlin",
}));

beforeEach(async () => {
  model.replyAlways({ text: "Nothing to do.", usage: TWO_CENTS });
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

const panel = () => page.getByRole("complementary", { name: "Run" });
const agentRow = (name: string) => page.getByRole("row", { name: new RegExp(name) });

interface Named {
  readonly id: string;
  readonly name: string;
}

async function createAgent(name: string, more: Record<string, unknown> = {}): Promise<Named> {
  const input = { name, prompt: "Look after the tasks.", schedule: "0 9 * * 1-5", timezone: "Europe/Berlin", ...more };
  const [agent] = await dashboard.api.mutateAll<Named>("agents.create", [input]);
  if (agent === undefined) throw new Error("No agent was made.");
  return agent;
}

describe("an agent", () => {
  it("is created, shows its next runs, runs, and shows what it did and what it cost", async () => {
    await page.goto("/agents");
    await page.getByText("No agents yet").waitFor();
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New agent" });
    await dialog.getByLabel("Name").fill("Morning review");
    await dialog.getByLabel("Instructions").fill("List what is overdue.");
    await dialog.getByText("Every day at 9:00").waitFor();

    await dialog.getByLabel("Runs", { exact: true }).selectOption({ label: "Cron expression" });
    // The browser logs the refusal of an expression that is not valid yet.
    visitor.watch.expect(/status of 400/);
    await dialog.getByLabel("Expression").fill("0 25 * * *");
    await dialog.getByRole("alert").waitFor();
    await takeScreenshot(page, "agent-invalid-schedule");
    await dialog.getByLabel("Runs", { exact: true }).selectOption({ label: "On selected weekdays" });
    await dialog.getByRole("button", { name: "Thursday" }).click();
    await dialog.getByLabel("At", { exact: true }).fill("08:30");
    await dialog.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await dialog.getByText("Every Monday and Thursday at 8:30").waitFor();
    const times = dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem");
    await expect.poll(() => times.count()).toBe(5);
    for (const time of await times.allTextContents()) expect(time).toMatch(/^(Mon|Thu),? \d+ \w+, 08:30/);
    expect(await dialog.getByRole("radio", { name: "Read-only tools" }).isChecked()).toBe(true);
    await dialog.getByRole("radio", { name: "Selected tools" }).check();
    await dialog.getByRole("group", { name: "Delete and overwrite" }).getByText("Delete files and folders.").waitFor();
    await dialog.getByRole("checkbox", { name: "tasks_create" }).check();
    await takeScreenshot(page, "agent-dialog");
    await dialog.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { level: 1, name: "Morning review" }).waitFor();

    model.reply(
      {
        text: "Let me see what is there.",
        toolCalls: [{ name: "tasks_create", arguments: { title: "Call the bank" } }],
        usage: TWO_CENTS,
      },
      { text: "## Overdue\n\n- **Call the bank**, since Monday", usage: TWO_CENTS },
    );
    await page.getByRole("button", { name: "Run now" }).click();
    await panel().getByRole("heading", { name: "Overdue" }).waitFor();
    await panel().getByText("Succeeded").waitFor();
    await panel().getByText("$0.04").waitFor();
    await panel().getByText("20 k input, 4 k output").waitFor();
    await panel().getByText("tasks_create").click();
    await panel().getByText('"title": "Call the bank"').first().waitFor();
    await page.getByRole("radio", { name: "Runs" }).click();
    await page.getByRole("row", { name: /Call the bank, since Monday/ }).waitFor();
    await page.goto("/tasks?view=list");
    await page.getByRole("row", { name: /Call the bank/ }).waitFor();
  });

  it("can be created and found from anywhere, and going back leads to the list", async () => {
    await page.goto("/agents");
    await page.getByRole("button", { name: "New agent" }).click();
    const dialog = page.getByRole("dialog", { name: "New agent" });
    await dialog.getByLabel("Name").fill("Kept draft");
    await page.reload();
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Kept draft");
    await dialog.getByLabel("Instructions").fill("Anything.");
    await dialog.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("heading", { level: 1, name: "Kept draft" }).waitFor();
    await page.goBack();
    await agentRow("Kept draft").waitFor();
    expect(await dialog.count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("draft kept");
    await page.getByRole("option", { name: /^Kept draft\b/ }).click();
    await page.getByRole("heading", { level: 1, name: "Kept draft" }).waitFor();
  });

  it("is shown again after the server was unreachable", async () => {
    visitor.watch.expect(/Failed to load resource/);
    await page.route(/agents\.list/, (route) => route.abort());
    await page.goto("/agents");
    await page.getByText("The agents could not be loaded").waitFor();
    await page.unroute(/agents\.list/);
    await tryAgain(page, agentRow("Morning review"));
  });

  it("is followed while it runs, and cancelled", async () => {
    const { id } = await createAgent("Slow one");
    model.reply({ text: ["So far so good", "."], fault: { kind: "hang", afterChunks: 1 } });
    await page.goto(`/agents/${id}`);
    await page.getByText("No runs yet").waitFor();
    await page.keyboard.press("Shift+R");
    await panel().getByText("So far so good").waitFor();
    await panel().getByText("Running").waitFor();
    await panel().getByRole("button", { name: "Cancel" }).click();
    await panel().getByText("Cancelled by a user.").waitFor();
    await panel().getByText("So far so good").waitFor();
    await page.getByRole("button", { name: "Run now" }).waitFor();
  });

  it("is stopped by its budget, and the run says by which one", async () => {
    const { id } = await createAgent("Thrifty one", { maxBudgetUsd: 0.001 });
    await page.goto(`/agents/${id}`);
    await page.getByRole("button", { name: "Run now" }).click();
    await panel().getByText("Over budget").waitFor();
    await panel()
      .getByRole("alert")
      .getByText(/of the run's budget is left/)
      .waitFor();
    await takeScreenshot(page, "agent-budget-stop");

    await page.goto(`/agents/${id}?status=success`);
    await page.getByText("No matching runs").waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByRole("row", { name: /budget/ }).waitFor();
  });

  it("is paused with all others, and undo resumes them", async () => {
    await createAgent("Evening report");
    await page.goto("/agents");
    await agentRow("Evening report").waitFor();
    const paused = page.getByRole("row").filter({ hasText: "Paused" });
    await page.getByRole("button", { name: "Pause all" }).click();
    await expect.poll(async () => (await paused.count()) === (await page.getByRole("row").count())).toBe(true);
    await visitor.watch.settle();
    await page.keyboard.press("Control+z");
    await paused.first().waitFor({ state: "detached" });
    await visitor.watch.settle();
    const list = await dashboard.api.query<readonly { enabled: boolean }[]>("agents.list", {});
    expect(list.every((agent) => agent.enabled)).toBe(true);

    await page.goto("/usage");
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Create an agent" }).click();
    await page.getByRole("dialog", { name: "New agent" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("is edited, and deleted after confirmation", async () => {
    const { id } = await createAgent("Short-lived");
    await page.goto(`/agents/${id}?view=setup`);
    await page.getByText("Every weekday at 9:00").first().waitFor();
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: "Edit agent" });
    await dialog.getByLabel("Runs", { exact: true }).selectOption({ label: "Every hour" });
    await dialog.getByLabel("Budget per day, $").fill("much");
    await dialog.getByText("Enter an amount in dollars, or leave it empty.").waitFor();
    await dialog.getByLabel("Budget per day, $").fill("1.5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Every hour, on the hour").first().waitFor();
    await page.getByText("of $1.50 today").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
    await agentRow("Morning review").waitFor();
    expect(await agentRow("Short-lived").count()).toBe(0);
  });
});

describe("usage", () => {
  it("shows what the model was used for in the server's own figures", async () => {
    const stats = await dashboard.api.query<{ totalCalls: number; totalCostUsd: number }>("usage.stats", {
      period: "7d",
    });
    expect(stats.totalCostUsd).toBeGreaterThanOrEqual(0.04);
    await page.goto("/usage");
    const budget = page.getByRole("region", { name: "Today’s budget" });
    await budget.getByText("of $5.00 spent today").waitFor();
    const consumers = page.getByRole("region", { name: "Top consumers" }).getByRole("row", { name: /Morning review/ });
    expect(await consumers.getByRole("cell").allTextContents()).toEqual(["Agents", "1", "$0.04"]);
    const byModel = page.getByRole("region", { name: "By model" }).getByRole("row", { name: new RegExp(MODEL) });
    expect((await byModel.getByRole("cell").allTextContents())[0]).toBe(String(stats.totalCalls));
    await page.getByRole("region", { name: "Cost by day" }).getByRole("radio", { name: "Table" }).click();
    await page.getByRole("radio", { name: "Calls" }).click();
    await page.getByPlaceholder("Filter").fill("morning");
    await page.getByText("1 entry").waitFor();
    const call = page.getByRole("row", { name: /Morning review/ });
    expect((await call.getByRole("cell").allTextContents()).at(-1)).toBe("$0.04");
  });

  it("shows the assistants' usage separately", async () => {
    await page.goto("/usage?view=assistants");
    await page.getByText("No assistant usage").waitFor();
    const message = {
      messageId: "m1",
      assistant: "claude-code",
      model: "claude-opus-4",
      inputTokens: 1200,
      outputTokens: 300,
      cacheReadInputTokens: 50_000,
    };
    await dashboard.api.mutateAll("assistantUsage.import", [
      { sessionId: "s1", projectPath: "/home/ada/shop", messages: [message] },
    ]);
    await page.reload();
    const row = page.getByRole("region", { name: "By model" }).getByRole("row", { name: /claude-opus-4/ });
    await row.waitFor();
    expect(await row.getByRole("cell").allTextContents()).toEqual(["1", "51.5 k", "$0.12"]);
    const limits = page.getByRole("region", { name: "Limit windows" }).getByRole("region", { name: "Claude Code" });
    await limits.getByText(/^\d+:00 to \d+:00, ends in/).waitFor();
    expect(await limits.getByText("51.5 k tokens, $0.12, 1 response").count()).toBe(2);
    await limits.getByText("too short for a forecast").waitFor();

    await page.getByRole("button", { name: "Set limits" }).click();
    const dialog = page.getByRole("dialog", { name: "Limits of your own" });
    await dialog.getByLabel("Claude Code in five hours", { exact: true }).fill("many");
    await dialog.getByText("Write a number such as").waitFor();
    expect(await dialog.getByRole("button", { name: "Save limits" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Claude Code in five hours", { exact: true }).fill("103 k");
    await dialog.getByLabel("Claude Code in seven days", { exact: true }).fill("0.24");
    await dialog.getByLabel("Unit of Claude Code in seven days").selectOption("usd");
    expect(await checkThemes(page, "own-limits")).toEqual([]);
    await dialog.getByRole("button", { name: "Save limits" }).click();
    await limits.getByText("50 % of your 103 k tokens used").waitFor();
    await limits.getByText(/^[\d.]+ % of your \$0\.24 used/).waitFor();
    expect(await checkThemes(page, "usage-own-limits")).toEqual([]);
  });
});

describe("without a model", () => {
  it("agents can be created, and say what is missing when they are run", async () => {
    const bare = await startServer();
    const stranger = await createVisitor(dashboard.browser, bare);
    try {
      stranger.watch.expect(/503/);
      await stranger.page.goto("/agents?new=1");
      const dialog = stranger.page.getByRole("dialog", { name: "New agent" });
      await dialog.getByLabel("Name").fill("Written before");
      await dialog.getByLabel("Instructions").fill("Wait for a model.");
      await dialog.getByRole("button", { name: "Create agent" }).click();
      await stranger.page.getByRole("button", { name: "Run now" }).click();
      await stranger.page
        .getByText(/No model is configured\. Choose one/)
        .first()
        .waitFor();
      await stranger.page.getByText("Until then you can create agents, but not run them.").waitFor();
      expect(stranger.watch.problems).toEqual([]);
    } finally {
      await stranger.close();
      await bare.close();
    }
  });
});

describe.each(Object.keys(SIZES) as Size[])("the pages on a %s", (size) => {
  it("have no serious accessibility problems in either theme", async () => {
    const agents = await dashboard.api.query<readonly Named[]>("agents.list", {});
    const review = agents.find((agent) => agent.name === "Morning review");
    const id = review?.id ?? "";
    const [run] = await dashboard.api.query<readonly { id: string }[]>("agents.runs", { id });
    const { page: shown, watch } = await dashboard.visit({ size });
    const problems: string[] = [];
    for (const [name, address] of [
      ["agents", "/agents"],
      ["agent-new", "/agents?new=1"],
      ["agent-tools", "/agents?new=1"],
      ["agent-runs", `/agents/${id}`],
      ["agent-run", `/agents/${id}?run=${run?.id ?? ""}`],
      ["agent-statistics", `/agents/${id}?view=statistics`],
      ["agent-setup", `/agents/${id}?view=setup`],
      ["usage", "/usage"],
      ["usage-hours", "/usage?period=24h"],
      ["usage-calls", "/usage?view=calls"],
      ["usage-assistants", "/usage?view=assistants"],
    ] as const) {
      // Each is loaded in a large window, and opened like a link in a small one.
      await (size === "desktop" || name === "agents" ? shown.goto(address) : followPath(shown, address));
      await watch.settle();
      await shown.locator("[aria-label=Loading]").waitFor({ state: "detached" });
      await shown.waitForTimeout(SHOWN_AFTER_MS);
      await watch.settle();
      if (name === "agent-tools") {
        await shown.getByRole("radio", { name: "Selected tools" }).check();
        await shown.getByLabel("May delete, overwrite and send without approval").scrollIntoViewIfNeeded();
      }
      problems.push(...(await checkThemes(shown, `${name}-${size}`)));
      const isWide = await shown.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      if (isWide) problems.push(`${name}: scrolls sideways`);
    }
    expect(problems).toEqual([]);
  });
});
