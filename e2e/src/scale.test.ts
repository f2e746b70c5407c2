import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { createManyTasks, createSomeData } from "./sample-data.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

const TASK_COUNT = 10_000;
/** More than fits on a screen, but few enough to prove that the list is virtual. */
const MAX_RENDERED_ROWS = 150;

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  const { projectIds } = await createSomeData(dashboard.api);
  await createManyTasks(dashboard.api, TASK_COUNT, [...projectIds.values()]);
  visitor = await createVisitor(dashboard.browser, dashboard.server);
  ({ page } = visitor);
});

afterAll(async () => {
  await visitor.close();
});

describe(`${TASK_COUNT} tasks`, () => {
  it("load in pages, the first of which is shown immediately", async () => {
    await page.goto("/projects");
    await visitor.watch.settle();
    await measureFrames("loading", async () => {
      const startedAt = performance.now();
      await page.reload();
      await startMeasuring();
      await page.getByRole("link", { name: /^Tasks/ }).click();
      await page.locator("[data-task-id]").first().waitFor();
      const shownAt = performance.now();
      await page.waitForFunction((count) => {
        const grid = document.querySelector('[role="grid"][aria-label="Tasks"]');
        return Number(grid?.getAttribute("aria-rowcount")) > count;
      }, TASK_COUNT);
      const [shownMs, loadedMs] = [shownAt - startedAt, performance.now() - startedAt];
      process.stdout.write(`first tasks after ${shownMs.toFixed(0)} ms, all after ${loadedMs.toFixed(0)} ms\n`);
    });
  });

  it("are counted before they are all loaded", async () => {
    const counts = await dashboard.api.query<{ status: string; count: number }[]>("tasks.counts", {});
    const numberOf = (isCounted: (status: string) => boolean) =>
      counts.reduce((total, { status, count }) => total + (isCounted(status) ? count : 0), 0).toLocaleString("en");
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route(/tasks\.list.*cursor/, async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.reload();
    await page.locator("[data-task-id]").first().waitFor();
    await page.getByRole("link", { name: `Tasks ${numberOf((status) => status !== "done")} open` }).waitFor();
    await page.getByRole("button", { name: `In progress ${numberOf((status) => status === "in_progress")}` }).waitFor();
    release();
    await page.unrouteAll({ behavior: "wait" });
    await page.waitForFunction(
      (count) =>
        Number(document.querySelector('[role="grid"][aria-label="Tasks"]')?.getAttribute("aria-rowcount")) > count,
      TASK_COUNT,
    );
    await page.getByRole("button", { name: `In progress ${numberOf((status) => status === "in_progress")}` }).waitFor();
  });

  it("scroll, and only visible ones are rendered", async () => {
    await measureFrames("scrolling", async () => {
      await page.mouse.move(700, 500);
      for (let step = 0; step < 40; step++) {
        await page.mouse.wheel(0, 900);
        await page.waitForTimeout(16);
      }
    });
    const rendered = await page.locator("[data-task-id]").count();
    expect(rendered).toBeGreaterThan(0);
    expect(rendered).toBeLessThan(MAX_RENDERED_ROWS);
    expect(Number(await page.locator("[data-task-id]").first().getAttribute("aria-rowindex"))).toBeGreaterThan(100);
  });

  it("are filtered as the user types", async () => {
    await measureFrames("filtering", async () => {
      await page.getByLabel("Filter by text").focus();
      await page.keyboard.type("invoice 12", { delay: 40 });
      await page.waitForFunction(
        (count) =>
          Number(document.querySelector('[role="grid"][aria-label="Tasks"]')?.getAttribute("aria-rowcount")) < count,
        TASK_COUNT / 10,
      );
      for (let step = 0; step < 10; step++) await page.keyboard.press("Backspace", { delay: 20 });
    });
  });

  it("follow the keyboard", async () => {
    await page.getByLabel("Filter by text").blur();
    await measureFrames("the keyboard", async () => {
      for (let step = 0; step < 20; step++) await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.locator('[data-task-id][aria-selected="true"]').waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+Enter");
      await page.waitForTimeout(200);
    });
  });

  it("show one that is added where it is, highlighted, or say why it is not shown", async () => {
    const add = async (title: string) => {
      await page.getByRole("textbox", { name: "New task" }).fill(title);
      await page.keyboard.press("Enter");
    };
    await add("Added below those in progress");
    await waitInView("Added below those in progress");
    expect(await page.locator(".animate-fresh").getByText("Added below those in progress").count()).toBe(1);
    await page.getByRole("radio", { name: "Board" }).click();
    await page.locator('[data-column="todo"] ul').hover();
    await page.mouse.wheel(0, 5_000);
    await add("Added to the board");
    await waitInView("Added to the board");
    await page.getByLabel("Filter by text").fill("invoice");
    await page.locator("[data-task-id]", { hasText: "Added to the board" }).waitFor({ state: "detached" });
    await add("Does not match");
    const toast = page.getByRole("listitem").filter({ hasText: "Created “Does not match”" });
    await toast.getByText("does not match the filter").waitFor();
    await toast.getByRole("button", { name: "Open" }).click();
    await page.getByRole("complementary", { name: "Task" }).getByText("Does not match").first().waitFor();
  });
});

/** Waits until a task is within the window, not only rendered beyond its edge. */
async function waitInView(title: string): Promise<void> {
  await page.waitForFunction((text) => {
    const tasks = [...document.querySelectorAll("[data-task-id]")].filter(({ textContent }) =>
      textContent.includes(text),
    );
    return tasks.some((task) => {
      const { top, bottom } = task.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    });
  }, title);
}

interface Frames {
  readonly longestTaskMs: number;
  readonly longestFrameMs: number;
  readonly p95FrameMs: number;
}

/** Runs `act` and logs its frame times, which are not asserted since the machine may be shared. */
async function measureFrames(name: string, act: () => Promise<void>): Promise<void> {
  await startMeasuring();
  await act();
  const { longestTaskMs, longestFrameMs, p95FrameMs } = await stopMeasuring();
  process.stdout.write(
    `${name}: longest frame ${longestFrameMs.toFixed(1)} ms, 95 % within ${p95FrameMs.toFixed(1)} ms, ` +
      `longest task ${longestTaskMs.toFixed(1)} ms\n`,
  );
}

interface Measurement {
  frames: number[];
  longestTaskMs: number;
  isOn: boolean;
}

async function startMeasuring(): Promise<void> {
  await page.evaluate(() => {
    const measurement: Measurement = { frames: [], longestTaskMs: 0, isOn: true };
    Object.assign(window, { measurement });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        measurement.longestTaskMs = Math.max(measurement.longestTaskMs, duration);
      }
    }).observe({ type: "longtask" });
    let last = performance.now();
    const tick = (now: number) => {
      measurement.frames.push(now - last);
      last = now;
      if (measurement.isOn) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
}

async function stopMeasuring(): Promise<Frames> {
  return page.evaluate(() => {
    const { measurement } = window as unknown as { measurement: Measurement };
    measurement.isOn = false;
    // The first frame began before the measurement.
    const frames = measurement.frames.slice(1).toSorted((a, b) => a - b);
    return {
      longestTaskMs: measurement.longestTaskMs,
      longestFrameMs: frames.at(-1) ?? 0,
      p95FrameMs: frames[Math.floor(frames.length * 0.95)] ?? 0,
    };
  });
}
