import { CORE, type Step } from "./step.ts";

const MIB = 1024 * 1024;
const ID = "0123456789abcdef0123456789abcdef";
const FORMATS = `${CORE}/knowledge/note-import/formats`;
const CONTEXT = {
  now: new Date("2026-11-25T10:00:00Z"),
  timeZone: "UTC",
  wallClock: () => ({ date: "2026-11-25", time: "10:00" }),
};

/** What imports process of the exports of other programs. */
export const IMPORT_STEPS: readonly Step[] = [
  {
    name: "note of Notion",
    maxCharacters: 5 * MIB,
    openings: ["", "<aside>\n", "# a\n\nA: ", `# a\n\nA: b (${ID}.md), `, "[a](https://www.notion.so/"],
    load: () => loadConversion("notion", "planNotion", { [`T ${ID}/P ${ID}.md`]: null, [`T ${ID}.csv`]: "A,B\n" }),
  },
  {
    name: "table of Notion",
    maxCharacters: 2_000_000,
    openings: ["A,B\n", 'A,B\n"', "A,B\na,"],
    load: () => loadConversion("notion", "planNotion", { [`T ${ID}.csv`]: null, [`P ${ID}.md`]: "" }),
  },
  {
    name: "record of a table",
    maxCharacters: 2_000_000,
    openings: ["", '"', "A,"],
    load: async () => {
      const { readCsvRecords } = await import(`${CORE}/platform/csv.ts`);
      return async (text) => {
        for await (const record of readCsvRecords(text.replaceAll(/[\r\n]/g, " "), "file")) void record;
      };
    },
  },
  {
    name: "note of Bear",
    maxCharacters: 5 * MIB,
    openings: ["", "#a", "~", "bear://x-callback-url/open-note?", "[a]("],
    load: () => loadConversion("bear", "planBear", { "a.textbundle/text.md": null, "a.textbundle/info.json": "{}" }),
  },
  {
    name: "note of basic-memory",
    maxCharacters: 5 * MIB,
    openings: ["", "[[", "---\ntitle: "],
    load: () => loadConversion("basic-memory", "planBasicMemory", { "a.md": null, "b.md": "---\ntitle: t\n---\n" }),
  },
  {
    name: "issues of Linear",
    maxCharacters: 5_000_000,
    openings: ["ID,Title,Status\n", "ID,Title,Status,Blocked by,Labels\na,b,Todo,", 'ID,Title,Status\n"'],
    load: () => loadReader("linear", "readLinear"),
  },
  {
    name: "tasks of Todoist",
    maxCharacters: 5_000_000,
    openings: [
      "TYPE,CONTENT,PRIORITY,INDENT\n",
      "TYPE,CONTENT,PRIORITY,INDENT\ntask,",
      "TYPE,CONTENT,PRIORITY,INDENT\ntask,a,1,1\nnote,",
    ],
    load: () => loadReader("todoist", "readTodoist"),
  },
];

/** The conversion of the file whose text is null in an archive of these files. */
async function loadConversion(
  format: string,
  plan: string,
  files: Readonly<Record<string, string | null>>,
): Promise<(text: string) => unknown> {
  const planImport = (await import(`${FORMATS}/${format}.ts`))[plan];
  const entries = Object.keys(files).map((path) => ({ path, sizeBytes: 1 }));
  return async (text) => {
    const read = async ({ path }: { path: string }) => files[path] ?? text;
    const { files: planned } = await planImport(entries, read);
    for (const { source, convert } of planned) if (files[source] === null) await convert(text);
  };
}

async function loadReader(format: string, name: string): Promise<(text: string) => unknown> {
  const { [name]: read } = await import(`${CORE}/work/task-import/formats/${format}.ts`);
  const { fitTask } = await import(`${CORE}/work/task-import/formats/imported-task.ts`);
  const { inTurns } = await import(`${CORE}/platform/in-slices.ts`);
  return async (text) => {
    for await (const entry of inTurns(read(text, CONTEXT))) if ("key" in entry) fitTask(entry, CONTEXT);
  };
}
