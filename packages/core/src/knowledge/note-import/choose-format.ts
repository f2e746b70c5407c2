import { parseMarkdown } from "../markdown/frontmatter.ts";
import { isMarkdownName } from "../markdown/file-type.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { planBasicMemory } from "./formats/basic-memory.ts";
import { planBear } from "./formats/bear.ts";
import type { ArchiveEntry, PlanImport, ReadText } from "./formats/import-format.ts";
import { isNotion, planNotion } from "./formats/notion.ts";
import { planPlain } from "./formats/plain.ts";
import { isWorkspaceExport, planWorkspace } from "./formats/workspace.ts";
import type { NoteFormat } from "./note-import.schema.ts";

type KnownFormat = Exclude<NoteFormat, "auto">;

const PLANS: Readonly<Record<KnownFormat, PlanImport>> = {
  obsidian: planPlain,
  notion: planNotion,
  bear: planBear,
  "basic-memory": planBasicMemory,
  markdown: planPlain,
  workspace: planWorkspace,
};
const SAMPLES = 10;

/** How to read an archive. Throws {@link InvalidInputError} if there is nothing in it. */
export async function chooseFormat(
  format: NoteFormat,
  entries: readonly ArchiveEntry[],
  read: ReadText,
): Promise<{ readonly format: KnownFormat; readonly plan: PlanImport }> {
  if (entries.length === 0) throw new InvalidInputError("There are no files in the archive that could be imported.");
  const chosen = format === "auto" ? await recognise(entries, read) : format;
  return { format: chosen, plan: PLANS[chosen] };
}

async function recognise(entries: readonly ArchiveEntry[], read: ReadText): Promise<KnownFormat> {
  if (isWorkspaceExport(entries)) return "workspace";
  if (entries.some(({ path }) => /\.textbundle\//i.test(path))) return "bear";
  if (isNotion(entries)) return "notion";
  let named = 0;
  const samples = entries.filter(({ path }) => isMarkdownName(path)).slice(0, SAMPLES);
  for (const entry of samples) {
    const text = await read(entry);
    const { title, permalink } = text === null ? {} : parseMarkdown(text).metadata;
    // Obsidian Publish has permalinks as well, but its notes are named by their files.
    if (typeof title === "string" && typeof permalink === "string") named += 1;
  }
  return named > 0 && named * 2 >= samples.length ? "basic-memory" : "obsidian";
}
