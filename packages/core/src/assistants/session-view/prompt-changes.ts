import * as z from "zod";
import { inSlices } from "../../platform/in-slices.ts";
import type { ViewedEvent } from "./session-view.queries.ts";
import { MAX_CHANGED_FILES, type PromptChanges } from "./session-view.schema.ts";

const recordedChanges = z.object({
  turn: z.number().int(),
  root: z.string().nullable().catch(null),
  total: z.number().int().optional().catch(undefined),
  files: z.array(z.unknown()).catch([]),
});
const changedFile = z.object({ path: z.string(), change: z.enum(["added", "changed", "deleted"]) });

interface Known {
  turn: number | null;
  root: string | null;
  /** What tools that edit files reported. */
  readonly written: Set<string>;
  compared: Pick<PromptChanges, "root" | "files" | "total"> | undefined;
}

/**
 * What each part of a session changed in files, given the events of each part. The hooks compare the project before and after a turn
 * once the next one has begun; until then, the files that tools report to have edited are known.
 */
export async function recordOfChanges(parts: readonly (readonly ViewedEvent[])[]): Promise<(PromptChanges | null)[]> {
  const known = parts.map((): Known => ({ turn: null, root: null, written: new Set(), compared: undefined }));
  const byTurn = new Map<number, Known>();
  await inSlices(parts.entries(), ([index, events]) => {
    const own = known[index];
    for (const { turn, root, paths } of events) {
      if (own === undefined) continue;
      const number = numberOf(turn);
      if (number !== undefined) {
        own.turn ??= number;
        if (!byTurn.has(number)) byTurn.set(number, own);
        const changed = changesIn(turn);
        const changedBy = changed === undefined ? undefined : byTurn.get(changed.turn);
        if (changed !== undefined && changedBy !== undefined) changedBy.compared = comparison(changed);
      }
      own.root ??= root;
      for (const path of paths ?? []) if (typeof path === "string") own.written.add(path);
    }
  });
  return known.map(toChanges);
}

function numberOf(turn: unknown): number | undefined {
  const number = typeof turn === "object" && turn !== null && "number" in turn ? turn.number : undefined;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

/** Few events have any, and parsing all would take longer than everything else. */
function changesIn(turn: unknown): z.infer<typeof recordedChanges> | undefined {
  if (typeof turn !== "object" || turn === null || !("changed" in turn)) return undefined;
  return recordedChanges.safeParse(turn.changed).data;
}

function comparison({ root, total, files }: z.infer<typeof recordedChanges>) {
  const listed = files.flatMap((file) => changedFile.safeParse(file).data ?? []);
  return { root, files: listed.slice(0, MAX_CHANGED_FILES), total: total ?? listed.length };
}

function toChanges({ turn, root, written, compared }: Known): PromptChanges | null {
  if (compared !== undefined) {
    return compared.total === 0 ? null : { turn, ...compared, root: compared.root ?? root, isCompared: true };
  }
  if (written.size === 0) return null;
  const files = [...written].slice(0, MAX_CHANGED_FILES).map((path) => ({ path, change: "changed" as const }));
  return { turn, root, files, total: written.size, isCompared: false };
}
