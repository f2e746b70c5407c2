import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { tokenHeaders } from "./model-service.ts";

/** Longer than every time limit of the service and of what stands in front of it. */
const GIVE_UP_AFTER_MS = 60_000;
const FILES = 4;
const PAUSE_MS = 20;

/**
 * What one place may hold: what was acknowledged last, and what was asked for without a clear answer. A frozen process may
 * carry out such a request long after its client has given up, so it stays possible until it is seen.
 */
interface Expectation {
  acknowledged: string | null;
  unclear: (string | null)[];
}

/** What the clients saw, added up over all of them. */
export interface Tally {
  requests: number;
  acknowledgedWrites: number;
  /** Answers that contradict what was acknowledged before them, each in a sentence. */
  readonly wrongAnswers: string[];
  /** How often each status other than success was answered; `none` stands for no answer. */
  readonly refusals: Map<string, number>;
  longestWaitMs: number;
  longestWait: string;
}

export function createTally(): Tally {
  return {
    requests: 0,
    acknowledgedWrites: 0,
    wrongAnswers: [],
    refusals: new Map(),
    longestWaitMs: 0,
    longestWait: "",
  };
}

interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
}

/** A client whose tasks, files and events nobody else changes, so that it knows what each answer must be. */
export interface CheckedClient {
  /** Works until stopped. */
  readonly finished: Promise<void>;
  stop(): void;
  /** The ids of the hook events that were acknowledged. */
  readonly events: ReadonlySet<string>;
  /** Compares the acknowledged tasks and files with what the service answers now; returns what is lost, in sentences. */
  findLosses(): Promise<string[]>;
}

/** Creates tasks, changes them, writes, deletes and restores files, records events, and reads all of it back. */
export function startCheckedClient(url: string, name: string, tally: Tally): CheckedClient {
  const tasks = new Map<string, Expectation>();
  const files = new Map<string, Expectation>();
  const events = new Set<string>();
  let isStopped = false;

  async function send(method: string, path: string, body?: object): Promise<Answer | undefined> {
    const startedAt = performance.now();
    tally.requests += 1;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...tokenHeaders, ...(body !== undefined && { "Content-Type": "application/json" }) },
        signal: AbortSignal.timeout(GIVE_UP_AFTER_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) count(String(response.status));
      return { status: response.status, data: response.ok ? JSON.parse(text).data : {} };
    } catch {
      count("none");
      return undefined;
    } finally {
      const waitedMs = Math.round(performance.now() - startedAt);
      if (waitedMs > tally.longestWaitMs) {
        tally.longestWaitMs = waitedMs;
        tally.longestWait = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ":id")}`;
      }
    }
  }

  function count(status: string): void {
    tally.refusals.set(status, (tally.refusals.get(status) ?? 0) + 1);
  }

  /** Records how a change ended: acknowledged, refused, or unclear because there was no answer that settles it. */
  function settle(expectation: Expectation, value: string | null, answer: Answer | undefined): void {
    if (answer !== undefined && answer.status < 300) {
      expectation.acknowledged = value;
      tally.acknowledgedWrites += 1;
    } else if (answer === undefined || answer.status >= 500) expectation.unclear.push(value);
  }

  function check(what: string, expectation: Expectation, actual: string | null): void {
    if (actual === expectation.acknowledged) return;
    const late = expectation.unclear.indexOf(actual);
    if (late >= 0) {
      expectation.unclear.splice(late, 1);
      expectation.acknowledged = actual;
      return;
    }
    tally.wrongAnswers.push(`${what}: ${actual} instead of ${expectation.acknowledged}`);
  }

  async function createTask(): Promise<void> {
    const title = `${name} ${randomUUID()}`;
    const answer = await send("POST", "/api/tasks", { title });
    if (answer?.status !== 200) return;
    tally.acknowledgedWrites += 1;
    tasks.set(String(answer.data["id"]), { acknowledged: title, unclear: [] });
  }

  async function changeTask(): Promise<void> {
    const entry = pick([...tasks]);
    if (entry === undefined) return;
    const [id, expectation] = entry;
    const title = `${name} ${randomUUID()}`;
    settle(expectation, title, await send("PUT", `/api/tasks/${id}`, { title }));
  }

  async function readTask(): Promise<void> {
    const entry = pick([...tasks]);
    if (entry === undefined) return;
    const [id, expectation] = entry;
    const answer = await send("GET", `/api/tasks/${id}`);
    if (answer?.status === 200) check(`task ${id}`, expectation, String(answer.data["title"]));
    else if (answer?.status === 404) check(`task ${id}`, expectation, null);
  }

  function file(index: number): [string, Expectation] {
    const path = `${name}/file-${index}.${index % 2 === 0 ? "md" : "txt"}`;
    const expectation = files.get(path) ?? { acknowledged: null, unclear: [] };
    files.set(path, expectation);
    return [path, expectation];
  }

  async function writeFile(): Promise<void> {
    const [path, expectation] = file(randomBelow(FILES));
    const content = `${randomUUID()}\n`.repeat(1 + randomBelow(100));
    settle(expectation, content, await send("POST", "/api/fs/write", { path, content }));
  }

  async function readFile(): Promise<void> {
    const [path, expectation] = file(randomBelow(FILES));
    const answer = await send("POST", "/api/fs/read", { path });
    if (answer?.status === 200) check(`file ${path}`, expectation, String(answer.data["content"]));
    else if (answer?.status === 404) check(`file ${path}`, expectation, null);
  }

  /** What is deleted through one process must be restored by whichever answers next. */
  async function deleteAndRestore(): Promise<void> {
    const [path, expectation] = file(randomBelow(FILES));
    const content = expectation.acknowledged;
    if (content === null || expectation.unclear.length > 0) return;
    const document = await send("POST", "/api/documents/by-path", { path });
    const id = documentIdOf(document);
    if (id === undefined) return;
    const deleted = await send("DELETE", `/api/documents/${id}`);
    settle(expectation, null, deleted);
    if (deleted?.status !== 200) return;
    const restored = await send("POST", `/api/documents/${id}/restore`);
    settle(expectation, content, restored);
    if (restored?.status === 404) tally.wrongAnswers.push(`${path}: the deleted document could not be restored (404)`);
  }

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
    createTask,
    changeTask,
    readTask,
    readTask,
    writeFile,
    readFile,
    deleteAndRestore,
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
    const wrongBefore = tally.wrongAnswers.length;
    for (const [id, expectation] of tasks) {
      const answer = await send("GET", `/api/tasks/${id}`);
      check(`task ${id}`, expectation, answer?.status === 200 ? String(answer.data["title"]) : null);
    }
    for (const [path, expectation] of files) {
      const answer = await send("POST", "/api/fs/read", { path });
      check(`file ${path}`, expectation, answer?.status === 200 ? String(answer.data["content"]) : null);
    }
    return tally.wrongAnswers.splice(wrongBefore);
  }

  return { finished: work(), events, stop: () => (isStopped = true), findLosses };
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
