import { foldText } from "../../../platform/fold-text.ts";
import type { SkippedEntry } from "./import-format.ts";
import { wrapperOf, type PlanImport, type PlannedFile } from "./import-format.ts";

/**
 * A folder of Markdown files, such as a vault of Obsidian: everything stays as it is, byte for byte. Of files whose paths differ only in
 * case, the first one is taken, since other computers and links cannot tell them apart.
 */
export const planPlain: PlanImport = async (entries) => {
  const files: PlannedFile[] = [];
  const skipped: SkippedEntry[] = [];
  const known = new Map<string, string>();
  const wrapper = wrapperOf(entries, () => true);
  for (const entry of entries) {
    const target = entry.path.slice(wrapper.length);
    const folded = foldText(target);
    const other = known.get(folded);
    known.set(folded, other ?? target);
    if (other === undefined) files.push({ source: entry.path, target, entry });
    else if (other === target) skipped.push({ place: entry.path, reason: "is in the archive more than once" });
    else skipped.push({ place: entry.path, reason: `differs from ${other} only in case` });
  }
  return { files, skipped };
};
