import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import {
  createHookSession,
  createManyHookEvents,
  createManyMemories,
  createManySecrets,
  createSomeMemories,
  createSomeSecrets,
  giveMemories,
  SESSION_ID,
} from "./assistant-data.ts";
import { setUpDashboard } from "./dashboard.ts";
import { followPath, isDashboard } from "./navigation.ts";
import { createExtremeData, createManyTasks, createSomeData } from "./sample-data.ts";
import type { Visitor } from "./visitor.ts";
import { SIZES, type Size } from "./window.ts";

const MANY_TASKS = 600;
const MANY_EVENTS = 5_000;
const MANY_SECRETS = 120;
const IN_A_MONTH = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000).toISOString();

const dashboard = setUpDashboard();
let projectId = "";
let taskId = "";
let memoryId = "";

/** A page in a particular state: its path, and what to do there first. */
interface Screen {
  readonly name: string;
  path(): string;
  prepare?(page: Page): Promise<void>;
  /** Whether it looks the same at every size. */
  readonly isDesktopOnly?: boolean;
}

const PAGES: readonly Screen[] = [
  { name: "home", path: () => "/" },
  { name: "tasks", path: () => "/tasks?view=list" },
  { name: "board", path: () => "/tasks?view=board" },
  { name: "projects", path: () => "/projects" },
  { name: "deleted", path: () => "/deleted" },
  { name: "memory", path: () => "/memory" },
  { name: "hooks", path: () => "/hooks" },
  { name: "hook-sessions", path: () => "/hooks?view=sessions" },
  { name: "hook-statistics", path: () => "/hooks?view=statistics" },
  { name: "hook-policy", path: () => "/hooks?view=policy" },
  { name: "memory-settings", path: () => "/hooks?view=memory" },
  { name: "secrets", path: () => "/secrets" },
  { name: "connect", path: () => "/connect" },
  { name: "keys", path: () => "/connect?view=keys" },
  { name: "credits", path: () => "/connect?view=credits" },
];

const PAGES_WITH_DATA: readonly Screen[] = [
  ...PAGES,
  { name: "memory-panel", path: () => `/memory?memory=${memoryId}` },
  {
    name: "memory-given",
    path: () => `/memory?memory=${memoryId}`,
    prepare: (page) => page.getByRole("button", { name: "Not useful" }).first().scrollIntoViewIfNeeded(),
  },
  { name: "session", path: () => `/hooks/sessions/${SESSION_ID}` },
  { name: "secret-panel", path: () => "/secrets?secret=GITHUB_TOKEN" },
  { name: "project", path: () => `/projects/${projectId}` },
  { name: "panel", path: () => `/tasks?view=list&task=${taskId}` },
];

const OVERLAYS: readonly Screen[] = [
  {
    name: "palette",
    path: () => "/tasks?view=list",
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("the");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "status-picker",
    isDesktopOnly: true,
    path: () => "/tasks?view=list",
    prepare: async (page) => {
      await page
        .getByRole("button", { name: /^Status: / })
        .first()
        .click();
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    name: "due-picker",
    isDesktopOnly: true,
    path: () => `/tasks?view=list&task=${taskId}`,
    prepare: async (page) => {
      await page.getByRole("complementary", { name: "Task" }).getByRole("button").nth(6).scrollIntoViewIfNeeded();
      await page
        .getByRole("complementary", { name: "Task" })
        .getByText("Due date")
        .locator("..")
        .getByRole("button")
        .click();
      await page.getByRole("button", { name: "Next week" }).waitFor();
    },
  },
  {
    name: "selection",
    path: () => "/tasks?view=list",
    prepare: async (page) => {
      for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
      await page.getByText("2 selected").waitFor();
    },
  },
  {
    name: "new-project",
    path: () => "/projects",
    prepare: async (page) => {
      await page.getByRole("button", { name: "New project" }).click();
      await page.getByLabel("Name").waitFor();
    },
  },
  {
    name: "new-task",
    path: () => "/",
    prepare: async (page) => {
      await page.getByRole("button", { name: "New task" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "shortcuts",
    isDesktopOnly: true,
    path: () => "/",
    prepare: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
];

const SIGNED_OUT: readonly Screen[] = [
  { name: "sign-in", path: () => "/sign-in?ended=true" },
  { name: "sign-up", path: () => "/sign-up" },
];

describe.each(Object.keys(SIZES) as Size[])("on a %s", (size) => {
  it("are accessible and free of errors before signing in", async () => {
    await capture(SIGNED_OUT, { size, data: "signed-out", isSignedIn: false });
  });
});

// A phone first, where the pages are loaded: a page that was opened like a link keeps what axe has compiled.
describe.each(["phone", "desktop"] as const)("with no data, on a %s", (size) => {
  it("show their empty states without problems", async () => {
    await capture(PAGES, { size, data: "none", hasAxe: size === "desktop" });
  });
});

describe("with some data", () => {
  beforeAll(async () => {
    const { projectIds } = await createSomeData(dashboard.api);
    projectId = projectIds.get("Website relaunch") ?? "";
    const tasks = await dashboard.api.query<{ id: string; title: string }[]>("tasks.list", { search: "AVIF" });
    taskId = tasks[0]?.id ?? "";
    const [deleted] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [
      { title: "A thought that led nowhere" },
    ]);
    await dashboard.api.mutateAll("tasks.delete", [{ id: deleted?.id }]);
    await createSomeMemories(dashboard.api);
    await createHookSession(dashboard.api);
    await giveMemories(dashboard.api);
    await createSomeSecrets(dashboard.api);
    await dashboard.api.mutateAll("apiKeys.create", [
      { name: "Claude Code on the laptop", scopes: ["hooks"] },
      { name: "Backup script", scopes: ["tasks:read", "knowledge:read"], expiresAt: IN_A_MONTH },
    ]);
    const memories = await dashboard.api.query<{ id: string; sourceExcerpt: string | null }[]>("memory.list", {});
    memoryId = memories.find((memory) => memory.sourceExcerpt !== null)?.id ?? "";
  });

  it.each(Object.keys(SIZES) as Size[])("are accessible and fit on a %s", async (size) => {
    await capture(PAGES_WITH_DATA, { size, data: "some" });
    const overlays = OVERLAYS.filter(({ isDesktopOnly = false }) => size === "desktop" || !isDesktopOnly);
    await capture(overlays, { size, data: "some", hasAxe: size === "desktop" });
  });
});

describe("with very large data", () => {
  beforeAll(async () => {
    await createManyTasks(dashboard.api, MANY_TASKS, [projectId]);
    await createManyMemories(dashboard.api, MANY_TASKS);
    await createManyHookEvents(dashboard.api, MANY_EVENTS);
    await createManySecrets(dashboard.api, MANY_SECRETS);
    const extreme = await createExtremeData(dashboard.api);
    projectId = extreme.projectId;
    taskId = extreme.taskId;
  });

  it.each(Object.keys(SIZES) as Size[])("fit on a %s", async (size) => {
    await capture(PAGES_WITH_DATA, { size, data: "many", hasAxe: false });
  });
});

interface CaptureOptions {
  readonly size: Size;
  readonly data: string;
  readonly isSignedIn?: boolean;
  readonly hasAxe?: boolean;
}

/** Opens each page, takes a screenshot in both themes, and checks it with axe. */
async function capture(
  screens: readonly Screen[],
  { size, data, isSignedIn = true, hasAxe = true }: CaptureOptions,
): Promise<void> {
  const visitor = await dashboard.visit({ size, isSignedIn });
  const problems: string[] = [];
  for (const screen of screens) {
    await open(visitor.page, screen);
    await waitUntilShown(visitor);
    await screen.prepare?.(visitor.page);
    problems.push(...(await checkThemes(visitor.page, `${data}/${screen.name}-${size}`, { hasAxe })));
    expect(await overflowOf(visitor.page), `${screen.name} is wider than the window`).toBeLessThanOrEqual(0);
  }
  await visitor.close();
  expect([...problems, ...visitor.watch.problems]).toEqual([]);
}

/** The names of the screens that have been loaded. */
const loaded = new Set<string>();

/** Loads a screen when it is first shown; afterwards, opens it as a link does, unless it is to be changed from a known state. */
async function open(page: Page, { name, path, prepare }: Screen): Promise<void> {
  const isLink = loaded.has(name) && prepare === undefined && (await isDashboard(page));
  await (isLink ? followPath(page, path()) : page.goto(path()));
  loaded.add(name);
}

async function waitUntilShown({ page, watch }: Visitor): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await watch.settle();
  await page.getByLabel("Loading").waitFor({ state: "detached" });
}

/** By how many pixels the page is wider than its window. */
async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
