import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { signIn } from "./processes.ts";
import { createRandom, notePath } from "./vault-notes.ts";

/** The minimum number of seeded notes. */
export const SOAK_NOTES = 2000;
const SOCKETS = 10;
const MAX_SOCKET_SECONDS = 20;
const WORDS = "report meeting invoice garden review budget travel backup letter design release research".split(" ");

export interface SoakClient {
  /** Sends one request from the mix. Never rejects. */
  next(): Promise<void>;
  counts(): { answered: number; failed: number; sockets: number };
  close(): void;
}

type Send = (method: string, path: string, body?: object) => Promise<string>;

/** Simulates a user and their assistant: mostly reads and searches, some writes, short-lived sockets, sign-ins. */
export async function createSoakClient(url: string, cookie: string): Promise<SoakClient> {
  const counts = { answered: 0, failed: 0, sockets: 0 };
  const random = createRandom(7);
  const word = (): string => WORDS[random(WORDS.length)] ?? "";
  let isClosed = false;

  const send: Send = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Cookie: cookie, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 200)}`);
    return text;
  };

  const list: { data: { id: string }[] } = JSON.parse(await send("GET", "/api/tasks?limit=50"));
  const taskIds = list.data.map(({ id }) => id);
  const operations = createOperations({ url, send, word, random, taskId: () => taskIds[random(taskIds.length)] ?? "" });
  const mix = operations.flatMap(([share, operation]) => Array.from({ length: share }, () => operation));

  async function keepOpeningSockets(): Promise<void> {
    while (!isClosed) {
      await new Promise<void>((resolve) => {
        const socket = new WebSocket(`${url.replace(/^http/, "ws")}/api/ws`, { headers: { Cookie: cookie } });
        socket.once("open", () => {
          counts.sockets += 1;
          setTimeout(() => (random(2) === 0 ? socket.close() : socket.terminate()), random(MAX_SOCKET_SECONDS * 1000));
        });
        socket.on("message", () => undefined);
        socket.once("error", () => undefined);
        socket.once("close", () => resolve());
      });
      await sleep(100);
    }
  }
  for (let index = 0; index < SOCKETS; index += 1) void keepOpeningSockets();

  return {
    async next() {
      try {
        await mix[random(mix.length)]?.();
        counts.answered += 1;
      } catch (error) {
        counts.failed += 1;
        if (counts.failed <= 5) console.error(error);
      }
    },
    counts: () => ({ ...counts }),
    close() {
      isClosed = true;
    },
  };
}

interface OperationContext {
  readonly url: string;
  readonly send: Send;
  readonly word: () => string;
  readonly random: (below: number) => number;
  readonly taskId: () => string;
}

/** The operations, each with its frequency per two hundred requests. */
function createOperations({ url, send, word, random, taskId }: OperationContext): [number, () => Promise<unknown>][] {
  const text = (words: number): string => Array.from({ length: words }, word).join(" ");
  const path = (): string => `/soak/note-${random(500)}.md`;
  return [
    [50, () => send("GET", `/api/tasks/${taskId()}`)],
    [20, () => send("GET", "/api/tasks?limit=50")],
    [12, () => send("GET", `/api/tasks?limit=50&search=${word()}`)],
    [16, () => send("POST", "/api/tasks", { title: text(4), description: text(20) })],
    [8, () => send("PUT", `/api/tasks/${taskId()}`, { title: text(4) })],
    [30, () => send("POST", "/api/hooks/events", hookEvent(text))],
    [12, () => send("POST", "/api/fs/write", { path: path(), content: text(300) })],
    [12, () => send("POST", "/api/fs/read", { path: `/${notePath(random(SOAK_NOTES))}` })],
    [2, () => send("GET", "/api/fs/list")],
    [6, () => send("GET", `/api/documents/search?query=${word()}`)],
    [6, () => send("GET", `/api/memory/search?query=${word()}`)],
    [6, () => send("GET", "/api/memory/context?project=/home/ada/project")],
    [4, () => send("POST", "/api/memory/store", { chunkType: "fact", content: `${randomUUID()} ${text(10)}` })],
    [4, () => send("GET", "/api/auth/get-session")],
    [4, () => send("GET", "/api/hooks/stats?period=24h")],
    [4, () => send("GET", "/api/projects")],
    [2, () => send("GET", "/api/documents?limit=50")],
    [1, () => signIn(url)],
    [1, () => send("GET", "/api/usage/stats")],
  ];
}

function hookEvent(text: (words: number) => string): object {
  return {
    eventType: "PreToolUse",
    sessionId: `session-${randomUUID().slice(0, 4)}`,
    projectDir: "/home/ada/project",
    toolName: "Bash",
    eventData: { tool_input: { command: text(5), description: text(5) } },
    durationMs: 12.5,
  };
}
