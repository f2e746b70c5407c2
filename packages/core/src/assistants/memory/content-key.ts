import { createHash } from "node:crypto";
import { foldText } from "../../platform/fold-text.ts";

/**
 * A hash that two memories share which say the same in other letters: case, spacing, quotes, emphasis and the full stop do
 * not count. Signs within the text do, because `a == b` and `a != b` are not the same.
 */
export function contentKey(content: string): string {
  const normalised = foldText(content)
    .replaceAll(/["'`“”‘’*]/g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/(?<![\s.!;,:])[\s.!;,:]+$/, "")
    .trim();
  return createHash("sha256").update(normalised).digest("hex");
}
