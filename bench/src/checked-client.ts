import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { tokenHeaders } from "./model-service.ts";

/** Longer than every timeout of the service and of the load balancer. */
const REQUEST_TIMEOUT_MS = 60_000;
const FILES = 4;
const PAUSE_MS = 20;

/**
 * The possible contents of one task or file: what was last acknowledged, and requests without a clear outcome. A frozen
 * process may carry out such a request long after its client has given up, so it remains possible until it is seen.
 */
interface Expectation {
  acknowledged: string | null;
  unclear: (string | null)[];
}

/** What all clients saw, added up. */
export interface Tally {
  requests: number;
  acknowledgedWrites: number;
  /** Responses that contradict an earlier acknowledgement or admit a fault of the service, each in a sentence. */
  readonly wrongResponses: string[];
  /** How often each status other than success was returned; `none` stands for no response. */
  readonly refusals: Map<string, number>;
  /** The requests without a response, or with one that blames the service, each in a sentence. */
  readonly failures: string[];
  longestWaitMs: number;
  longestWait: string;
}

export function createTally(): Tally {
  return {
    requests: 0,
    acknowledgedWrites: 0,
    wrongResponses: [],
    refusals: new Map(),
    failures: [],
    longestWaitMs: 0,
    longestWait: "",
  };
}

interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
}

/** A client whose tasks, files and events nobody else changes, so that it knows what every response must be. */
export interface CheckedClient {
  /** Resolves once the client has stopped. */
  readonly finished: Promise<void>;
  stop(): void;
  /** The ids of the acknowledged hook events. */
  readonly events: ReadonlySet<string>;
  /** Compares the acknowledged tasks and files with what the service returns now; returns what is lost, in sentences. */
  findLosses(): Promise<string[]>;
}

/** Creates tasks, changes them, writes, deletes and restores files, records events, and reads all of it back. */
export function startCheckedClient(url: string, name: string, tally: Tally): CheckedClient {
  const send = createSender(url, tally);
  const tasks = useTasks(send, name, tally);
  const files = useFiles(send, name, tally);
  const events = new Set<string>();
  let isStopped = false;

  async function recordEvent(): Promise<void> {
    const id = randomUUID();
    const answer = await send("POST", "/api/hooks/events", { id, eventType: "PreToolUse", sessionId: name });
    if (answer?.status !== 201) return;
    tally.acknowledgedWrites += 1;
    events.add(id);
  }

  async function readLists(): Promise<void> {
    await send("GET", `/api/tasks?limit=50&search=${encodeURIComponent(name)}`);
    await send("GET", "/api/documents?limit=50");
  }

  const actions = [
    tasks.create,
    tasks.change,
    tasks.read,
    tasks.read,
    files.write,
    files.read,
    files.deleteAndRestore,
    recordEvent,
    readLists,
  ];

  async function work(): Promise<void> {
    while (!isStopped) {
      await pick(actions)?.();
      await sleep(PAUSE_MS);
    }
  }

  async function findLosses(): Promise<string[]> {
    const wrongBefore = tally.wrongResponses.length;
    await tasks.compare();
    await files.compare();
    return tally.wrongResponses.splice(wrongBefore);
  }

  return { finished: work(), events, stop: () => (isStopped = true), findLosses };
}

/** Sends a request; undefined where there was no response. */
type Send = (method: string, path: string, body?: object) => Promise<Answer | undefined>;

function createSender(url: string, tally: Tally): Send {
  const fail = (what: string) => void tally.failures.push(`${new Date().toISOString()} ${what}`);
  const count = (status: string) => tally.refusals.set(status, (tally.refusals.get(status) ?? 0) + 1);
  return async (method, path, body) => {
    const startedAt = performance.now();
    tally.requests += 1;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...tokenHeaders, ...(body !== undefined && { "Content-Type": "application/json" }) },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) count(String(response.status));
      if (response.status === 429 || response.status >= 500) fail(`${method} ${path}: ${response.status} ${text}`);
      if (response.status === 500)
        tally.wrongResponses.push(`${new Date().toISOString()} ${method} ${path}: 500 ${text}`);
      return { status: response.status, data: response.ok ? JSON.parse(text).data : {} };
    } catch (error) {
      count("none");
      fail(`${method} ${path}: ${String(error)}`);
      return undefined;
    } finally {
      const waitedMs = Math.round(performance.now() - startedAt);
      if (waitedMs > tally.longestWaitMs) {
        tally.longestWaitMs = waitedMs;
        tally.longestWait = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ":id")}`;
      }
    }
  };
}

function useTasks(send: Send, name: string, tally: Tally) {
  const tasks = new Map<string, Expectation>();
  return {
    async create(): Promise<void> {
      const title = `${name} ${randomUUID()}`;
      const answer = await send("POST", "/api/tasks", { title });
      if (answer?.status !== 200) return;
      tally.acknowledgedWrites += 1;
      tasks.set(String(answer.data["id"]), { acknowledged: title, unclear: [] });
    },

    async change(): Promise<void> {
      const entry = pick([...tasks]);
      if (entry === undefined) return;
      const [id, expectation] = entry;
      const title = `${name} ${randomUUID()}`;
      settle(tally, expectation, title, await send("PUT", `/api/tasks/${id}`, { title }));
    },

    async read(): Promise<void> {
      const entry = pick([...tasks]);
      if (entry === undefined) return;
      const [id, expectation] = entry;
      const answer = await send("GET", `/api/tasks/${id}`);
      if (answer?.status === 200) check(tally, `task ${id}`, expectation, String(answer.data["title"]));
      else if (answer?.status === 404) check(tally, `task ${id}`, expectation, null);
    },

    /** Checks every task. */
    async compare(): Promise<void> {
      for (const [id, expectation] of tasks) {
        const answer = await send("GET", `/api/tasks/${id}`);
        check(tally, `task ${id}`, expectation, answer?.status === 200 ? String(answer.data["title"]) : null);
      }
    },
  };
}

function useFiles(send: Send, name: string, tally: Tally) {
  const files = new Map<string, Expectation>();

  function anyFile(): [string, Expectation] {
    const index = randomBelow(FILES);
    const path = `${name}/file-${index}.${index % 2 === 0 ? "md" : "txt"}`;
    const expectation = files.get(path) ?? { acknowledged: null, unclear: [] };
    files.set(path, expectation);
    return [path, expectation];
  }

  return {
    async write(): Promise<void> {
      const [path, expectation] = anyFile();
      const content = `${randomUUID()}\n`.repeat(1 + randomBelow(100));
      settle(tally, expectation, content, await send("POST", "/api/fs/write", { path, content }));
    },

    async read(): Promise<void> {
      const [path, expectation] = anyFile();
      const answer = await send("POST", "/api/fs/read", { path });
      if (answer?.status === 200) check(tally, `file ${path}`, expectation, String(answer.data["content"]));
      else if (answer?.status === 404) check(tally, `file ${path}`, expectation, null);
    },

    /** A document deleted through one process must be restorable through whichever process handles the next request. */
    async deleteAndRestore(): Promise<void> {
      const [path, expectation] = anyFile();
      const content = expectation.acknowledged;
      if (content === null || expectation.unclear.length > 0) return;
      const document = await send("POST", "/api/documents/by-path", { path });
      const id = documentIdOf(document);
      if (id === undefined) return;
      const deleted = await send("DELETE", `/api/documents/${id}`);
      settle(tally, expectation, null, deleted);
      if (deleted?.status !== 200) return;
      const restored = await send("POST", `/api/documents/${id}/restore`);
      settle(tally, expectation, content, restored);
      if (restored?.status === 404)
        tally.wrongResponses.push(`${path}: the deleted document could not be restored (404)`);
    },

    /** Checks every file. */
    async compare(): Promise<void> {
      for (const [path, expectation] of files) {
        const answer = await send("POST", "/api/fs/read", { path });
        check(tally, `file ${path}`, expectation, answer?.status === 200 ? String(answer.data["content"]) : null);
      }
    },
  };
}

/** Records how a change ended: acknowledged, refused, or unclear because no response settled it. */
function settle(tally: Tally, expectation: Expectation, value: string | null, answer: Answer | undefined): void {
  if (answer !== undefined && answer.status < 300) {
    expectation.acknowledged = value;
    tally.acknowledgedWrites += 1;
  } else if (answer === undefined || answer.status >= 500) expectation.unclear.push(value);
}

function check(tally: Tally, what: string, expectation: Expectation, actual: string | null): void {
  if (actual === expectation.acknowledged) return;
  const late = expectation.unclear.indexOf(actual);
  if (late >= 0) {
    expectation.unclear.splice(late, 1);
    expectation.acknowledged = actual;
    return;
  }
  tally.wrongResponses.push(`${what}: ${actual} instead of ${expectation.acknowledged}`);
}

function documentIdOf(answer: Answer | undefined): string | undefined {
  const document = answer?.data["document"];
  if (typeof document !== "object" || document === null || !("id" in document)) return undefined;
  return String(document.id);
}

function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit);
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[randomBelow(items.length)];
}
