/**
 * A person in the page and an assistant over the API write to the same notes at once. Every edit adds a word of its own; counts the words
 * that are missing in the end, how often the two met in one line, and how long a save of the page takes:
 *
 *   npm run bench -- two-writers [edits=100000] [notes=10]
 */
import { compute } from "../../packages/web/src/browser/compute-in-slices.ts";
import { DocumentSession } from "../../packages/web/src/features/documents/session/document-session.ts";
import type { SavedText, SaveResult } from "../../packages/web/src/features/documents/session/session-state.ts";
import { linesOfPart, mergeTexts } from "../../packages/web/src/features/documents/merge/three-way-merge.ts";
import { withBenchDatabase } from "./bench-database.ts";
import { percentile, prepareServices, tokenHeaders } from "./model-service.ts";
import { createRandom } from "./vault-notes.ts";

const [editCount = 100_000, noteCount = 10] = process.argv.slice(2).map(Number);
const LINES = 40;
/** Of the person's edits: saved at once, or others' changes are shown before it. */
const SHARES = { saves: 0.2, shows: 0.1, newLine: 0.05 };

interface Opened {
  readonly document: { readonly id: string; readonly contentHash: string };
  readonly body: string;
}

await withBenchDatabase(async (_db, dataDir) => {
  const services = await prepareServices(dataDir, { LOG_LEVEL: "error" });
  await services.start(0);
  try {
    const api = createApi(services.url(0));
    const startedAt = performance.now();
    const notes = await Promise.all(Array.from({ length: noteCount }, (_, index) => writeNote(api, index)));
    report(notes, (performance.now() - startedAt) / 1_000);
  } finally {
    await services.close();
  }
});

interface Written {
  readonly edits: number;
  readonly missing: readonly string[];
  readonly conflicts: number;
  readonly refusals: number;
  readonly saves: readonly number[];
}

/** Has both write to one note until they have made their share of the edits. */
async function writeNote(api: Api, index: number): Promise<Written> {
  const path = `Note ${index}.md`;
  const random = createShares(index + 1);
  const { document, body: text } = await api.create(path, firstText(index));
  const words: string[] = [];
  const saves: number[] = [];
  const session = new DocumentSession({ text, hash: document.contentHash }, [], {
    page: "person",
    writer: "person",
    isOpen: () => Promise.resolve(true),
    save: async (text, expectedHash) => {
      const startedAt = performance.now();
      const result = await api.update(document.id, text, expectedHash);
      saves.push(performance.now() - startedAt);
      return result;
    },
    read: () => api.read(document.id),
    storeDraft: () => Promise.resolve(),
    removeDraft: () => undefined,
  });
  let conflicts = 0;
  let refusals = 0;
  const share = Math.floor(editCount / noteCount / 2);

  async function person(): Promise<void> {
    for (let edit = 0; edit < share; edit += 1) {
      const from = session.getSnapshot().text;
      if (random() < SHARES.shows) {
        const askedAt = Date.now();
        session.receive(await api.read(document.id), askedAt);
      }
      const word = `p${edit}`;
      words.push(word);
      session.edit(withWord(from.toString(), word, random), from);
      if (random() < SHARES.saves) await save();
    }
    while (!session.isSaved) await save();
  }

  async function save(): Promise<void> {
    await session.flush();
    const { text, saving } = session.getSnapshot();
    if (saving.kind !== "conflict") return;
    conflicts += 1;
    const parts = compute(mergeTexts(saving.base, text.toString(), saving.theirs.text));
    const lines = parts.flatMap((part) => linesOfPart(part, part.kind === "same" ? null : (part.suggestion ?? "both")));
    await session.resolve(lines.join("\n"));
  }

  async function assistant(): Promise<void> {
    for (let edit = 0; edit < share;) {
      const { text, hash } = await api.read(document.id);
      const lines = text.split("\n").filter((line, at, all) => line !== "" && all.indexOf(line) === at);
      const line = lines[Math.floor(random() * lines.length)] ?? "";
      const word = `a${edit}`;
      if (await api.edit(path, { oldText: `${line}\n`, newText: `${line} ${word}\n` }, hash)) {
        words.push(word);
        edit += 1;
      } else refusals += 1;
    }
  }

  await Promise.all([person(), assistant()]);
  while (!session.isSaved) await save();
  const kept = new Set((await api.read(document.id)).text.split(/\s+/));
  return { edits: words.length, missing: words.filter((word) => !kept.has(word)), conflicts, refusals, saves };
}

function firstText(note: number): string {
  return Array.from({ length: LINES }, (_, line) => `Line ${line} of note ${note}\n`).join("");
}

/** The text with a word at the end of a line, or in a new one. */
function withWord(text: string, word: string, random: () => number): string {
  const lines = text.split("\n");
  const at = Math.floor(random() * (lines.length - 1));
  if (random() < SHARES.newLine) lines.splice(at, 0, `New ${word}`);
  else lines[at] = `${lines[at] ?? ""} ${word}`;
  return lines.join("\n");
}

function createShares(seed: number): () => number {
  const random = createRandom(seed);
  return () => random(1_000_000) / 1_000_000;
}

type Api = ReturnType<typeof createApi>;

function createApi(url: string) {
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...tokenHeaders, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // The responses are those of the contract.
    return { status: response.status, body: await response.json() };
  };
  const toSaved = ({ document, body }: Opened): SavedText => ({ text: body, hash: document.contentHash });
  return {
    async create(path: string, content: string): Promise<Opened> {
      await send("POST", "/api/notes/create", { path, content });
      return (await send("POST", "/api/documents/by-path", { path })).body.data;
    },
    async read(id: string): Promise<SavedText> {
      return toSaved((await send("GET", `/api/documents/${id}`)).body.data);
    },
    /** Saves like the page. */
    async update(id: string, text: string, expectedHash: string): Promise<SaveResult> {
      const { status, body } = await send("PUT", `/api/documents/${id}`, { body: text, expectedHash });
      if (status === 200) return { kind: "saved", hash: body.data.document.contentHash };
      if (status === 412)
        return { kind: "changed", theirs: toSaved((await send("GET", `/api/documents/${id}`)).body.data) };
      throw new Error(`A save was refused: ${JSON.stringify(body)}`);
    },
    /** Edits like an assistant. Returns false if the note has changed since it was read. */
    async edit(path: string, edit: { oldText: string; newText: string }, expectedHash: string): Promise<boolean> {
      const { status, body } = await send("POST", "/api/notes/edit", { path, edits: [edit], expectedHash });
      if (status === 200) return true;
      if (status === 412 || status === 400 || status === 409) return false;
      throw new Error(`An edit was refused: ${JSON.stringify(body)}`);
    },
  };
}

function report(notes: readonly Written[], seconds: number): void {
  const sum = (of: (note: Written) => number): number => notes.reduce((total, note) => total + of(note), 0);
  const missing = notes.flatMap((note) => note.missing);
  const saves = notes.flatMap((note) => note.saves);
  console.log(`${sum(({ edits }) => edits)} edits of ${notes.length} notes in ${seconds.toFixed(0)} s`);
  console.log(
    `missing: ${missing.length} words (goal: 0, ${missing.length === 0 ? "ok" : `MISSED: ${missing.slice(0, 10).join(" ")}`})`,
  );
  console.log(
    `met in one line: ${sum(({ conflicts }) => conflicts)} times; the assistant read again ${sum(({ refusals }) => refusals)} times`,
  );
  console.log(
    `a save of the page: p50 ${percentile(saves, 0.5)}, p95 ${percentile(saves, 0.95)} ms (${saves.length} saves)`,
  );
}
