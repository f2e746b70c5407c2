import { inTurns } from "../../../platform/in-slices.ts";
import { foldText } from "../../../platform/fold-text.ts";
import { parseMarkdown } from "../../markdown/frontmatter.ts";
import { linkNameOf } from "../../markdown/wiki-links.ts";
import { isMarkdownName, withoutMarkdownExtension } from "../../markdown/file-type.ts";
import { nameOfPath, type PlanImport } from "./import-format.ts";
import { planPlain } from "./plain.ts";
import { relink } from "./relink.ts";

/**
 * Notes of basic-memory. They are Markdown already, with observations and relations as lists; but their links name a title or a
 * permalink, which here must be the name of a file. The label stays what was written.
 */
export const planBasicMemory: PlanImport = async (entries, read) => {
  const plan = await planPlain(entries, read);
  const notes = plan.files.filter(({ target }) => isMarkdownName(target));
  /** How many notes have a name. */
  const names = new Map<string, number>();
  for (const { target } of notes) names.set(linkNameOf(target), (names.get(linkNameOf(target)) ?? 0) + 1);
  const targets = new Map<string, string>();
  for await (const { target, entry } of inTurns(notes)) {
    const text = await read(entry);
    if (text === null) continue;
    const { title, permalink } = parseMarkdown(text).metadata;
    const path = withoutMarkdownExtension(target);
    for (const name of [title, permalink])
      if (typeof name === "string" && !targets.has(foldText(name))) targets.set(foldText(name), path);
  }
  const convert = (text: string): Promise<string> =>
    relink(text, ({ kind, target }) => {
      if (kind !== "wiki" || names.has(linkNameOf(target))) return null;
      const path = targets.get(foldText(target.trim()));
      if (path === undefined) return null;
      return isAmbiguous(path) ? path : nameOfPath(path);
    });
  /** Whether another note has the same name. */
  const isAmbiguous = (path: string): boolean => (names.get(linkNameOf(path)) ?? 0) > 1;
  return { ...plan, files: plan.files.map((file) => (isMarkdownName(file.target) ? { ...file, convert } : file)) };
};
