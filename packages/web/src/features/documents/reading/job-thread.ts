/** For loading and starting a helper, even over a slow connection. */
const LOAD_DEADLINE_MS = 20_000;
/** After this long without work, the helper is ended to free its memory. */
const IDLE_MS = 60_000;

/** Something beside the page that does one job after the other, and can be ended at any time: a worker or a frame. */
export interface Helper<Request> {
  send(request: Request): void;
  end(): void;
}

/** What a helper reports. Nothing is heard any more of one that has been ended. */
export interface HelperEvents<Result> {
  ready(): void;
  result(result: Result): void;
  failed(): void;
}

export interface Job<Request, Result> {
  readonly request: Request;
  /** Takes a result. Returns whether it was the last one. */
  receive(result: Result): boolean;
  /** Called if there will be no further result. */
  fail(): void;
}

/** Does jobs in a helper, one at a time, which is ended with a job that takes too long. */
export interface JobThread<Request, Result> {
  /** Starts the helper if it is not running, in anticipation of a job. */
  prepare(): void;
  add(job: Job<Request, Result>): void;
  /** Gives up a job. If another one is waiting, the helper is restarted for it. */
  cancel(job: Job<Request, Result>): void;
}

export function createJobThread<Request, Result>(
  startHelper: (events: HelperEvents<Result>) => Helper<Request>,
  deadlineMs: number,
): JobThread<Request, Result> {
  type AnyJob = Job<Request, Result>;
  const waiting: AnyJob[] = [];
  const cancelled = new WeakSet<AnyJob>();
  let helper: Helper<Request> | null = null;
  let isReady = false;
  let running: AnyJob | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    helper?.end();
    helper = null;
    isReady = false;
  }

  /** Ends the helper together with its current job. */
  function abandon(): void {
    const job = running;
    running = null;
    stop();
    job?.fail();
    next();
  }

  function next(): void {
    if (running !== null) return;
    running = waiting.shift() ?? null;
    clearTimeout(timer);
    if (running === null) {
      timer = setTimeout(stop, IDLE_MS);
      return;
    }
    helper ??= start();
    if (isReady) begin(helper, running);
    else timer = setTimeout(abandon, LOAD_DEADLINE_MS);
  }

  function begin(started: Helper<Request>, { request }: AnyJob): void {
    clearTimeout(timer);
    timer = setTimeout(abandon, deadlineMs);
    started.send(request);
  }

  function start(): Helper<Request> {
    const ifCurrent =
      <Args extends readonly unknown[]>(act: (...args: Args) => void) =>
      (...args: Args): void => {
        if (started === helper) act(...args);
      };
    const started = startHelper({
      ready: ifCurrent(() => {
        isReady = true;
        if (running !== null) begin(started, running);
      }),
      result: ifCurrent(receive),
      failed: ifCurrent(abandon),
    });
    return started;
  }

  function receive(result: Result): void {
    const job = running;
    if (job === null || !job.receive(result)) return;
    running = null;
    next();
  }

  return {
    prepare() {
      helper ??= start();
      if (running === null) next();
    },

    add(job) {
      waiting.push(job);
      if (running !== null && cancelled.has(running)) abandon();
      else next();
    },

    cancel(job) {
      cancelled.add(job);
      const index = waiting.indexOf(job);
      if (index >= 0) waiting.splice(index, 1);
      if (job === running && waiting.length > 0) abandon();
    },
  };
}
