import type { Browser, Page } from "playwright-core";

/** A task as recorded by the browser; times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** The thread's CPU time. */
  readonly tdur?: number;
  readonly args?: {
    readonly name?: string;
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string };
  };
}

export interface BusyTime {
  /** The longest task. */
  readonly taskMs: number;
  /** The longest work in the background, which stops when somebody presses a key. */
  readonly idleMs: number;
}

/** A mark by which a page is recognized in a recording. */
const MARK = "busy-time";

/**
 * Runs `act` and returns for how long at a stretch a page's main thread was busy during it, in CPU time: unlike wall-clock
 * time, it depends little on the load of the machine. The main threads of all pages count, or if one is given, only its own.
 */
export async function busyTime(browser: Browser, act: () => Promise<void>, page?: Page): Promise<BusyTime> {
  const events = await trace(browser, async () => {
    await page?.evaluate((mark) => void performance.mark(mark), MARK);
    await act();
  });
  const isOfPage = (event: TraceEvent) =>
    page === undefined ? event.name === "thread_name" && event.args?.name === "CrRendererMain" : event.name === MARK;
  const pages = new Set(events.filter(isOfPage).map(({ pid, tid }) => `${pid} ${tid}`));
  const ofPages = events.filter(({ pid, tid }) => pages.has(`${pid} ${tid}`));
  const idle = ofPages.filter(({ name }) => name === "FireIdleCallback");
  // What the test itself asks the page, such as whether a text is shown yet.
  const questions = ofPages.filter(
    ({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === "blink.mojom.DevToolsSession",
  );
  const tasks = ofPages.filter(({ name }) => name.endsWith("RunTask"));
  if (tasks.length === 0) throw new Error("The browser has not recorded any tasks.");
  const longest = (some: readonly TraceEvent[]) => Math.max(0, ...some.map(({ tdur = 0 }) => tdur / 1_000));
  return {
    taskMs: longest(tasks.filter((task) => ![...idle, ...questions].some((work) => isWithin(work, task)))),
    idleMs: longest(idle),
  };
}

async function trace(browser: Browser, act: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel", "devtools.timeline", "blink.user_timing"] },
    transferMode: "ReportEvents",
  });
  try {
    await act();
  } finally {
    // The browser records for one caller at a time, so it must also end when the action fails.
    const complete = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
    await session.send("Tracing.end");
    await complete;
    await session.detach();
  }
  return events;
}

function isWithin(part: TraceEvent, { pid, tid, ts, dur = 0 }: TraceEvent): boolean {
  return part.pid === pid && part.tid === tid && part.ts >= ts && part.ts + (part.dur ?? 0) <= ts + dur;
}
