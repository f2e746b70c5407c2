import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiClient } from "./api-client.ts";
import { launchBrowser } from "./browser.ts";
import { createManyTasks, createSomeData } from "./sample-data.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

const TASK_COUNT = 10_000;
const MAX_FRAME_MS = 50;
/** The machine is shared; a frame that something else has held up is not ours. */
const TRIES = 4;

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
  it("load in parts, the first of them shown at once, without a frame over 50 ms", async () => {
    await page.goto("/projects");
    await visitor.watch.settle();
    await expectSmooth("loading", async () => {
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

  it("scroll without a frame over 50 ms", async () => {
    await expectSmooth("scrolling", async () => {
      await page.mouse.move(700, 500);
      for (let step = 0; step < 40; step++) {
        await page.mouse.wheel(0, 900);
        await page.waitForTimeout(16);
      }
    });
  });

  it("filter without a frame over 50 ms", async () => {
    await expectSmooth("filtering", async () => {
      await page.getByLabel("Filter by text").focus();
      await page.keyboard.type("invoice 12", { delay: 40 });
      for (let step = 0; step < 10; step++) await page.keyboard.press("Backspace", { delay: 20 });
    });
  });

  it("follow the keyboard, select and change without a frame over 50 ms", async () => {
    await page.getByLabel("Filter by text").blur();
    await expectSmooth("the keyboard", async () => {
      for (let step = 0; step < 20; step++) await page.keyboard.press("j");
      await page.keyboard.press("x");
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

/** Does something, and measures every frame of it; the best of a few tries counts. */
async function expectSmooth(name: string, act: () => Promise<void>): Promise<void> {
  let best: Frames | undefined;
  for (let attempt = 0; attempt < TRIES && (best === undefined || best.longestFrameMs > MAX_FRAME_MS); attempt++) {
    await startMeasuring();
    await act();
    const frames = await stopMeasuring();
    if (best === undefined || frames.longestFrameMs < best.longestFrameMs) best = frames;
  }
  const { longestTaskMs = Infinity, longestFrameMs = Infinity, p95FrameMs = Infinity } = best ?? {};
  process.stdout.write(
    `${name}: longest frame ${longestFrameMs.toFixed(1)} ms, 95 % within ${p95FrameMs.toFixed(1)} ms, ` +
      `longest task ${longestTaskMs.toFixed(1)} ms\n`,
  );
  expect(longestFrameMs).toBeLessThanOrEqual(MAX_FRAME_MS);
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
