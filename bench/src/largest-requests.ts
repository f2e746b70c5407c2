/**
 * Sends the largest permitted requests, with the most expensive contents, and prints the longest time for which the server
 * serves nobody else:
 *
 *   npm run bench -- largest-requests ["part of a row's name"]
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { WebSocket } from "ws";
import { signIn, startService } from "./processes.ts";

const PORT = 3994;
const URL_OF_SERVICE = `http://127.0.0.1:${PORT}`;
const GOAL_MS = 50;
const ROUNDS = 3;
/** By then the work that follows a response has ended, above all the mirror's reading of a file. */
const SETTLE_MS = 1_500;
const MIB = 1024 * 1024;
const MAX_CONTENT = 25 * MIB;
const MAX_TRANSCRIPT = 20 * MIB;

interface Row {
  readonly name: string;
  /** Runs before measuring. Returns the function to measure. */
  prepare(): Promise<() => Promise<void>>;
}

const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
const stallsPath = join(dataDir, "stalls");
await writeFile(stallsPath, "");
const probe = pathToFileURL(join(import.meta.dirname, "stall-probe.mjs")).href;
const service = await startService(dataDir, PORT, { STALLS: stallsPath, LOG_LEVEL: "error" }, [`--import=${probe}`]);
const cookie = await signIn(URL_OF_SERVICE);
try {
  const filter = process.argv[2] ?? "";
  console.log(`${"request".padEnd(58)} longest stall (ms), goal ${GOAL_MS}`);
  for (const row of [idle(), ...writes(), ...reads(), ...transcripts(), ...events(), ...lists(), ...frames()]) {
    if (row.name.includes(filter)) await measure(row);
  }
} finally {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure({ name, prepare }: Row): Promise<void> {
  const run = await prepare();
  const stalls: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(SETTLE_MS);
    await readStall();
    await run();
    await sleep(SETTLE_MS);
    stalls.push(await readStall());
  }
  const worst = Math.max(...stalls);
  const verdict = worst <= GOAL_MS ? "ok" : "MISSED";
  console.log(name.padEnd(58), stalls.map((stall) => stall.toFixed(1).padStart(7)).join(""), ` ${verdict}`);
}

async function readStall(): Promise<number> {
  const before = await readFile(stallsPath, "utf8");
  process.kill(service.pid, "SIGUSR2");
  for (;;) {
    const now = await readFile(stallsPath, "utf8");
    if (now.length > before.length) return Number(now.slice(before.length));
    await sleep(5);
  }
}

/** The body is created before the measurement, and only the status of the response is checked. */
function post(path: string, body: object | string, expected: readonly number[] = [200, 201]): () => Promise<void> {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return () => send("POST", path, expected, { body: bytes, type: "application/json" });
}

function get(path: string): () => Promise<void> {
  return () => send("GET", path, [200]);
}

async function send(
  method: string,
  path: string,
  expected: readonly number[],
  { body, type = "" }: { body?: Buffer; type?: string } = {},
): Promise<void> {
  const response = await fetch(`${URL_OF_SERVICE}${path}`, {
    method,
    headers: { Cookie: cookie, ...(body !== undefined && { "Content-Type": type }) },
    ...(body !== undefined && { body: new Uint8Array(body) }),
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  if (!expected.includes(response.status))
    throw new Error(`${method} ${path} returned ${response.status}, ${bytes} bytes.`);
}

function idle(): Row {
  return { name: "(nothing)", prepare: async () => async () => sleep(500) };
}

/** Texts that are slow to decode, validate, hash, write or read back. */
function contents(bytes: number): [string, string][] {
  return [
    ["letters", "word and word\n".repeat(bytes / 14)],
    ["three-byte characters", "漢字\n".repeat(bytes / 7)],
    ["four-byte characters", "😀".repeat(bytes / 4)],
    ["quotes", '"'.repeat(bytes / 2)],
    ["control characters", "\u0001".repeat(bytes / 6)],
  ];
}

function writes(): Row[] {
  const whole = contents(MAX_CONTENT).map(([name, content]) => ({
    name: `write a file of ${name}`,
    prepare: async () => post("/api/fs/write", { path: "/large.txt", content }),
  }));
  const escaped = {
    name: "write a file, each character escaped",
    prepare: async () => post("/api/fs/write", `{"path":"/large.txt","content":"${"\\u00e9".repeat(5 * MIB)}"}`),
  };
  const notes = [
    ["links", "](["],
    ["marks", "a\u0300\u0301"],
    ["decomposed letters", "\u1100\u1161\u11a8"],
    ["lines", "# a\n"],
    ["tags", "#a "],
    ["a script without spaces", "漢"],
    ["identifiers", "aB-"],
  ].map(([name = "", pump = ""]) => ({
    name: `write a note of a MiB of ${name}`,
    prepare: async () =>
      post("/api/fs/write", { path: "/note.md", content: pump.repeat(MIB / Buffer.byteLength(pump)) }),
  }));
  const frontmatter = {
    name: "write a note with a large frontmatter",
    prepare: async () =>
      post("/api/fs/write", { path: "/fields.md", content: `---\na: ${"[".repeat(30)}${"b, ".repeat(900)}\n---\n` }),
  };
  return [...whole, escaped, ...notes, frontmatter];
}

function reads(): Row[] {
  return contents(MAX_CONTENT).flatMap(([name, content]) => {
    const put = (path: string) =>
      send("PUT", `/api/fs/raw?path=${path}`, [200, 201], { body: Buffer.from(content), type: "text/plain" });
    return [
      {
        name: `read a file of ${name}`,
        prepare: async () => (await put("/read.txt"), post("/api/fs/read", { path: "/read.txt" })),
      },
      {
        name: `read a note of ${name}, typed`,
        prepare: async () => {
          await put("/read.md");
          await sleep(SETTLE_MS);
          return post("/api/trpc/documents.byPath", { path: "read.md" });
        },
      },
    ];
  });
}

function transcripts(): Row[] {
  const line = `${JSON.stringify({ type: "user", message: { role: "user", content: "ab" } })}\n`;
  return [
    ["short lines", line.repeat(MAX_TRANSCRIPT / line.length)],
    ["three-byte characters", "漢".repeat(MAX_TRANSCRIPT / 3)],
    ["quotes", '"'.repeat(MAX_TRANSCRIPT / 2)],
  ]
    .map(([name = "", transcript = ""]) => ({
      name: `import the usage of a transcript of ${name}`,
      prepare: async () => post("/api/hooks/assistant-usage", { sessionId: "bench", transcript }, [200, 201, 400]),
    }))
    .concat(
      ["a", "漢"].map((letter) => ({
        name: `extract from a transcript of ${letter}`,
        prepare: async () =>
          post("/api/memory/extract", { transcript: letter.repeat(MAX_TRANSCRIPT / Buffer.byteLength(letter)) }, [503]),
      })),
      ...[
        ["490,000 records", '{"role":"user","content":"ab"}\n'.repeat(490_000)],
        ["lines of a memory block", `1 memories loaded:\n${"a\n".repeat(MAX_TRANSCRIPT / 2 - 20)}`],
        ["injected elements", "<command-name></command-name>".repeat(MAX_TRANSCRIPT / 29)],
      ].map(([name = "", transcript = ""]) => ({
        name: `keep a transcript of ${name}, to be extracted`,
        prepare: async () => post("/api/hooks/sessions/bench/transcript", { transcript, extract: true }),
      })),
    );
}

/** Values that occur in the texts of events. */
async function storeSecrets(): Promise<void> {
  for (const [index, value] of ["a".repeat(20), "hunter2-hunter2", 'aaaa\\/"aaaa'].entries()) {
    await post("/api/secrets", { key: `KEY_${index}`, value }, [201, 409])();
  }
}

function events(): Row[] {
  const event = (eventData: object) => ({ eventType: "PreToolUse", sessionId: "bench", eventData });
  const texts: [string, string][] = [
    ["letters", "a".repeat(MIB - 200)],
    ["quotes and backslashes", "'\\".repeat(MIB / 3 - 200)],
    ["percent signs", "%61".repeat(MIB / 3 - 100)],
    ["marks", "\u0300".repeat(MIB / 2 - 100)],
  ];
  return [
    ...texts.map(([name, text]) => ({
      name: `an event of a MiB of ${name}`,
      prepare: async () => {
        await storeSecrets();
        return post("/api/hooks/events", event({ text }));
      },
    })),
    {
      name: "an event of 19,900 values",
      prepare: async () =>
        post("/api/hooks/events", event({ values: Array.from({ length: 19_900 }, (_, index) => `a value ${index}`) })),
    },
    {
      name: "40 events of a MiB each, listed",
      prepare: async () => {
        const store = post("/api/hooks/events", event({ text: "b\n".repeat(MIB / 3 - 200) }));
        for (let index = 0; index < 40; index += 1) await store();
        return get("/api/hooks/events?limit=500");
      },
    },
  ];
}

function lists(): Row[] {
  return [
    {
      name: "1,000 tasks of 10,000 characters",
      prepare: async () => {
        const create = post("/api/tasks", { title: "a task", description: 'a "word"\n'.repeat(1_000) });
        for (let index = 0; index < 1_000; index += 1) await create();
        return get("/api/tasks");
      },
    },
    {
      name: "the same, 1,000 at once, typed",
      prepare: async () => get(`/api/trpc/tasks.list?input=${encodeURIComponent('{"limit":1000}')}`),
    },
    {
      name: "a folder of 20,000 files",
      prepare: async () => {
        const folder = join(dataDir, "vault", "many");
        await mkdir(folder, { recursive: true });
        for (let index = 0; index < 20_000; index += 1)
          await writeFile(join(folder, `náme ${(index * 7919) % 20_000}`), "");
        await sleep(20_000);
        return get("/api/fs/list?path=/many");
      },
    },
    { name: "all of the vault", prepare: async () => get("/api/fs/list?recursive=true") },
    { name: "all documents", prepare: async () => get("/api/documents") },
  ];
}

function frames(): Row[] {
  return ["[", '"', "a", '{"a":'].map((pump) => ({
    name: `a frame of ${pump} repeated`,
    prepare: async () => async () => {
      const socket = new WebSocket(`${URL_OF_SERVICE.replace("http", "ws")}/api/ws`, { headers: { Cookie: cookie } });
      await new Promise((resolve) => socket.once("open", resolve));
      socket.on("error", () => undefined);
      socket.send(pump.repeat((MIB - 1024) / pump.length));
      await sleep(500);
      socket.terminate();
    },
  }));
}
