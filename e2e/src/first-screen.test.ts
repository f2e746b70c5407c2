import type { Page, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { holdRequests } from "./held-requests.ts";
import { dateIn } from "./sample-data.ts";
import { SIZES, type Size } from "./window.ts";

const dashboard = setUpDashboard();

/**
 * The first data of each page, and how many scripts it loads before: the theme, the entry, the framework, what all pages need, what this
 * one needs, and the copy in the browser.
 */
const PAGES = [
  ["/", /home\.news/, 12],
  ["/tasks?view=list", /tasks\.list/, 12],
] as const;

it.each(PAGES)(
  "%s asks for its first data before it loads what it does without until then",
  async (path, data, scripts) => {
    const { page } = await dashboard.visit();
    const files = requestsOf(page, isScript);
    const release = await holdRequests(page, "**/api/trpc/**");
    const asked = page.waitForRequest(data);
    await page.goto(path, { waitUntil: "commit" });
    await asked;
    await page.getByRole("heading", { level: 1 }).waitFor();
    const before = [...files];
    expect(before.slice(scripts)).toEqual([]);
    release();
    await page.getByRole("button", { name: "Today's note" }).waitFor();
    expect(files.length).toBeGreaterThan(before.length);
  },
);

it("asks for a page's code and for the session, once each, before the application has loaded", async () => {
  const { page } = await dashboard.visit();
  const asked = requestsOf(page, (request) => /get-session|\/tasks-page-/.test(request.url()));
  const release = await holdRequests(page, "**/assets/framework-*.js");
  await page.goto("/tasks?view=list", { waitUntil: "commit" });
  await expect.poll(() => asked.length).toBe(2);
  release();
  await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
  expect(asked.toSorted()).toEqual(["/api/auth/get-session", expect.stringMatching(/tasks-page-/)]);
});

it("asks for a page's data before the application is rendered", async () => {
  const { page } = await dashboard.visit();
  await page.addInitScript(() => {
    const request = window.fetch;
    window.fetch = (...args) => {
      if (typeof args[0] === "string" && args[0].includes("home.news"))
        document.documentElement.dataset["asked"] ??=
          document.getElementById("first-frame") === null ? "late" : "early";
      return request(...args);
    };
  });
  await page.goto("/");
  await page.locator("html[data-asked]").waitFor({ state: "attached" });
  expect(await page.locator("html").getAttribute("data-asked")).toBe("early");
});

it("Home asks once for what its first steps depend on, also if the news come before that", async () => {
  const { page } = await dashboard.visit();
  const isOfSteps = (request: Request) => request.url().includes("hooks.listEvents");
  const asked = requestsOf(page, isOfSteps);
  const release = await holdRequests(page, "**/api/trpc/*hooks.listEvents*");
  await page.goto("/", { waitUntil: "commit" });
  await page.getByText(/^\w+day, \d+ \w+/).waitFor();
  await expect.poll(() => asked.length).toBe(1);
  const answered = page.waitForResponse((response) => isOfSteps(response.request()));
  release();
  await answered;
  expect(asked).toHaveLength(1);
});

it("creates no formats and no orders of texts, which take long, before it has data to show", async () => {
  const { page } = await dashboard.visit();
  await page.addInitScript(() => {
    const created: string[] = [];
    Reflect.set(window, "created", created);
    for (const name of ["Collator", "DateTimeFormat", "NumberFormat"] as const)
      Reflect.set(
        Intl,
        name,
        new Proxy(Intl[name], {
          construct: (target, args) => {
            created.push(name);
            return Reflect.construct(target, args) as object;
          },
        }),
      );
  });
  await holdRequests(page, "**/api/trpc/**");
  const asked = page.waitForRequest(/tasks\.list/);
  await page.goto("/tasks?view=list", { waitUntil: "commit" });
  await asked;
  await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
  expect(await page.evaluate(() => Reflect.get(window, "created") as string[])).toEqual([]);
});

it("asks for the code of the board with the tasks, not after them", async () => {
  const { page } = await dashboard.visit();
  const files = requestsOf(page, isScript);
  const release = await holdRequests(page, "**/api/trpc/**");
  await page.goto("/tasks?view=board", { waitUntil: "commit" });
  await expect.poll(() => files.filter((path) => path.includes("/task-board-"))).toHaveLength(1);
  release();
});

it("what a shortcut does is told by the tooltip of what has it", async () => {
  const [task] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [{ title: "Stake tomatoes" }]);
  const { page } = await dashboard.visit();
  await page.goto(`/tasks?view=list&task=${task?.id ?? ""}`);
  const field = page.locator("[data-tooltip-of=status]");
  const tooltip = page.getByRole("tooltip", { name: "Change the status" });
  // The tooltips come after the first screen.
  await expect
    .poll(async () => {
      await page.mouse.move(0, 0);
      await field.first().hover();
      await page.waitForTimeout(600);
      return tooltip.isVisible();
    })
    .toBe(true);
});

it("a list and a board begin with what fits into the window, and have more soon after", async () => {
  await dashboard.api.mutateAll(
    "tasks.create",
    Array.from({ length: 60 }, (_, index) => ({ title: `Pick apple ${index}` })),
  );
  const { page } = await dashboard.visit();
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const count = document.querySelectorAll("[data-task-id]").length;
      if (count === 0) return;
      observer.disconnect();
      Reflect.set(window, "first", count);
    }).observe(document, { childList: true, subtree: true });
  });
  for (const view of ["list", "board"]) {
    await page.goto(`/tasks?view=${view}`);
    const tasks = page.locator("[data-task-id]");
    const [task, next] = [await tasks.nth(3).boundingBox(), await tasks.nth(4).boundingBox()];
    const fitting = Math.ceil((page.viewportSize()?.height ?? 0) / ((next?.y ?? 0) - (task?.y ?? 0)));
    const first = await page.evaluate(() => Reflect.get(window, "first") as number);
    expect(first).toBeLessThanOrEqual(fitting + 1);
    await expect.poll(() => tasks.count()).toBeGreaterThan(first);
  }
});

function isScript(request: Request): boolean {
  return request.resourceType() === "script";
}

/** The paths that the page requests from now on. */
function requestsOf(page: Page, isWanted: (request: Request) => boolean): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (isWanted(request)) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

describe("until the application has loaded", () => {
  const frame = (page: Page) => page.locator("#first-frame");

  it.each(Object.keys(SIZES) as Size[])(
    "a %s shows the frame and the title of the page, and nothing moves then",
    async (size) => {
      const { page } = await dashboard.visit({ size });
      await page.addInitScript(observeShifts);
      const release = await holdRequests(page, "**/assets/*.js");
      await page.goto("/tasks?view=list", { waitUntil: "commit" });
      await frame(page).getByText("Tasks", { exact: true }).waitFor();
      const before = await frame(page).locator("#first-title").boundingBox();
      release();
      const title = page.getByRole("heading", { name: "Tasks", level: 1 });
      await title.waitFor();
      expect(await frame(page).count()).toBe(0);
      const after = await title.boundingBox();
      expect([after?.x, after?.y]).toEqual([before?.x, before?.y]);
      expect(await page.evaluate(() => Reflect.get(window, "shifted") as number)).toBeLessThan(0.05);
    },
  );

  it.each([
    ["/", "Home"],
    ["/settings", "Settings"],
    ["/nothing-here", ""],
  ])("%s is titled %j", async (path, title) => {
    const { page, watch } = await dashboard.visit();
    watch.expect(/404/);
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto(path, { waitUntil: "commit" });
    await frame(page).getByText("Workspace").waitFor();
    expect(await page.locator("#first-title").textContent()).toBe(title);
    release();
    await page.getByRole("heading", { level: 1 }).waitFor();
  });

  it("a page without a frame shows none, and the sidebar is as narrow as it was left", async () => {
    const { page } = await dashboard.visit();
    await page.goto("/settings");
    await page.getByRole("button", { name: "Hide the sidebar" }).click();
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto("/forgot-password", { waitUntil: "commit" });
    await page.locator("#root").waitFor({ state: "attached" });
    expect(await frame(page).count()).toBe(0);
    await page.goto("/settings", { waitUntil: "commit" });
    await frame(page).getByText("Settings").waitFor();
    const before = await page.locator("#first-sidebar").boundingBox();
    release();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    expect((await page.getByRole("navigation", { name: "Main" }).boundingBox())?.width).toBe(before?.width);
  });
});

it("Home shows the first tasks and numbers of its sections before all tasks are read", async () => {
  const today = dateIn(0);
  const titles = Array.from({ length: 10 }, (_, index) => `Turn bed ${index}`);
  await dashboard.api.mutateAll(
    "tasks.create",
    titles.map((title) => ({ title, dueDate: today })),
  );
  const { page } = await dashboard.visit();
  const release = await holdRequests(page, /tasks\.list/);
  await page.goto("/");
  const section = page.getByRole("region", { name: "Today" });
  const count = section.getByRole("heading");
  await section.getByRole("link", { name: "Show all 10 tasks" }).waitFor();
  expect(await count.textContent()).toBe("Today10");
  expect(await section.getByRole("row").count()).toBe(8);
  // What was counted before is not shown as the number after a change.
  await section.getByRole("row", { name: "Turn bed 9" }).focus();
  await page.keyboard.press("ControlOrMeta+Enter");
  await section.getByRole("link", { name: "Show all", exact: true }).waitFor();
  expect(await count.textContent()).toBe("Today");
  release();
  await section.getByRole("link", { name: "Show all 9 tasks" }).waitFor();
  expect(await count.textContent()).toBe("Today9");
});

it("nothing moves on Home when the code of the news arrives", async () => {
  await dashboard.api.mutateAll("tasks.create", [{ title: "Mow the lawn", dueDate: dateIn(0) }]);
  const { page } = await dashboard.visit();
  await page.addInitScript(observeShifts);
  const code = /\/with-home-[\w-]{8}\.js$/;
  const release = await holdRequests(page, code);
  const loaded = page.waitForResponse(code);
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("heading", { name: "Welcome to your workspace" }).waitFor();
  await page.getByRole("region", { name: "Today" }).waitFor();
  release();
  await loaded;
  await page.getByRole("button", { name: "Today's note" }).waitFor();
  expect(await page.evaluate(() => Reflect.get(window, "shifted") as number)).toBeLessThan(0.05);
});

describe("until the quick add has loaded", () => {
  const CODE = /\/with-tasks-[\w-]{8}\.js$/;

  /** The tasks with the code of the quick add on its way, until the function returned is called. */
  async function openTasks({ fails = false } = {}) {
    await dashboard.api.mutateAll("tasks.create", [{ title: "Rake the leaves" }]);
    const { page, watch } = await dashboard.visit();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    if (fails) await page.route(CODE, (route) => route.abort());
    const release = await holdRequests(page, CODE);
    await page.goto("/tasks?view=list", { waitUntil: "commit" });
    await page.getByText("Rake the leaves").first().waitFor();
    return {
      page,
      watch,
      release,
      field: page.getByLabel("New task"),
      row: (title: string) => page.getByRole("row", { name: title }),
    };
  }

  it("what is typed becomes tasks, or stays in the field with the caret", async () => {
    const { page, release, field, row } = await openTasks();
    await page.keyboard.press("c");
    await page.keyboard.type("Order bulbs !high tomorrow");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Wash pots");
    await page.keyboard.press("Home");
    release();
    await row("Order bulbs").waitFor();
    await page.getByRole("button", { name: "Create task" }).waitFor();
    expect(await field.inputValue()).toBe("Wash pots");
    await page.keyboard.type("Then: ");
    await page.keyboard.press("Enter");
    await row("Then: Wash pots").waitFor();
    const tasks = await dashboard.api.query<{ title: string; priority: number; dueDate: string | null }[]>(
      "tasks.list",
      {},
    );
    const bulbs = tasks.filter(({ title }) => title.startsWith("Order"));
    expect(bulbs.map(({ title, priority, dueDate }) => [title, priority, dueDate !== null])).toEqual([
      ["Order bulbs", 3, true],
    ]);
  });

  it("pasted lines are offered as tasks", async () => {
    const { page, release, field } = await openTasks();
    await page.evaluate(() => navigator.clipboard.writeText("Sow\nWater"));
    await field.click();
    await page.keyboard.press("ControlOrMeta+v");
    release();
    await page.getByText("Sow").waitFor();
    await page.getByText("Water").waitFor();
  });

  it("what was entered is in the field at the next visit if the code cannot be loaded", async () => {
    const { page, release, field, watch } = await openTasks({ fails: true });
    watch.expect(/ERR_FAILED|dynamically imported/);
    await field.click();
    await page.keyboard.type("Prune the roses");
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("");
    release();
    await page.getByText("This part of the page could not be loaded").or(page.getByRole("alert")).first().waitFor();
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("button", { name: "Create task" }).waitFor();
    expect(await field.inputValue()).toBe("Prune the roses");
  });
});

/** Adds up how far what is shown has moved without the user, in the page. */
function observeShifts(): void {
  Reflect.set(window, "shifted", 0);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      Reflect.set(window, "shifted", Number(Reflect.get(window, "shifted")) + Number(Reflect.get(entry, "value")));
  }).observe({ type: "layout-shift", buffered: true });
}
