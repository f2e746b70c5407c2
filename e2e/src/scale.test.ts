import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiClient } from "./api-client.ts";
import { launchBrowser } from "./browser.ts";
import { createManyTasks, createSomeData } from "./sample-data.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

const TASK_COUNT = 10_000;
/** More than a screen shows; a list that draws them all is not one for so many. */
const MAX_DRAWN_ROWS = 150;

let server: TestServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const api = await createApiClient(server);
  const { projectIds } = await createSomeData(api);
  await createManyTasks(api, TASK_COUNT, [...projectIds.values()]);
  visitor = await createVisitor(browser, server);
  ({ page } = visitor);
});

afterAll(async () => {
  await visitor.close();
  await browser.close();
  await server.close();
});

describe(`${TASK_COUNT} tasks`, () => {
  it("load in parts, the first of them shown at once", async () => {
    await page.goto("/projects");
    await visitor.watch.settle();
    await measureFrames("loading", async () => {
      const startedAt = performance.now();
      await page.reload();
      await startMeasuring();
      await page.getByRole("link", { name: "Tasks" }).click();
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

  it("scroll, and only those in view are drawn", async () => {
    await measureFrames("scrolling", async () => {
      await page.mouse.move(700, 500);
      for (let step = 0; step < 40; step++) {
        await page.mouse.wheel(0, 900);
        await page.waitForTimeout(16);
      }
    });
    const drawn = await page.locator("[data-task-id]").count();
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThan(MAX_DRAWN_ROWS);
    expect(Number(await page.locator("[data-task-id]").first().getAttribute("aria-rowindex"))).toBeGreaterThan(100);
  });

  it("are filtered while somebody types", async () => {
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
});

interface Frames {
  readonly longestTaskMs: number;
  readonly longestFrameMs: number;
  readonly p95FrameMs: number;
}

/** Does something, and says how long its frames were: what a test may wait for, but not judge on a machine it shares. */
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
    // The first frame began before the measurement did.
    const frames = measurement.frames.slice(1).toSorted((a, b) => a - b);
    return {
      longestTaskMs: measurement.longestTaskMs,
      longestFrameMs: frames.at(-1) ?? 0,
      p95FrameMs: frames[Math.floor(frames.length * 0.95)] ?? 0,
    };
  });
}
