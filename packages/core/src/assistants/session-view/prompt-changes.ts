import * as z from "zod";
import type { ViewedEvent } from "./session-view.queries.ts";
import { MAX_CHANGED_FILES, type PromptChanges } from "./session-view.schema.ts";

const recordedTurn = z.object({
  number: z.number().int(),
  changed: z
    .object({
      turn: z.number().int(),
      root: z.string().nullable().catch(null),
      total: z.number().int().optional().catch(undefined),
      files: z.array(z.unknown()).catch([]),
    })
    .optional()
    .catch(undefined),
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
export function recordOfChanges(parts: readonly (readonly ViewedEvent[])[]): (PromptChanges | null)[] {
  const known = parts.map((): Known => ({ turn: null, root: null, written: new Set(), compared: undefined }));
  const byTurn = new Map<number, Known>();
  for (const [index, events] of parts.entries()) {
    const own = known[index];
    for (const { turn, root, paths } of events) {
      if (own === undefined) continue;
      const recorded = recordedTurn.safeParse(turn);
      if (recorded.success) {
        own.turn ??= recorded.data.number;
        if (!byTurn.has(recorded.data.number)) byTurn.set(recorded.data.number, own);
        const { changed } = recorded.data;
        const changedBy = changed === undefined ? undefined : byTurn.get(changed.turn);
        if (changed !== undefined && changedBy !== undefined) changedBy.compared = comparison(changed);
      }
      own.root ??= root;
      for (const path of paths ?? []) if (typeof path === "string") own.written.add(path);
    }
  }
  return known.map(toChanges);
}

function comparison({ root, total, files }: NonNullable<z.infer<typeof recordedTurn>["changed"]>) {
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
