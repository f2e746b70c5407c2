import type { Db } from "@workspace/db";
import { GoneError } from "../errors.ts";
import type { ApiKeyPrincipal } from "../procedures/principal.ts";
import { READ_SCOPES, RESOURCE_KINDS, type ApiKeyScope, type ResourceKind } from "../resources.ts";
import {
  isGap,
  selectChangePlaces,
  selectLogEnds,
  selectVisibleChanges,
  type ChangeEvent,
  type LogEntry,
} from "./change-event.queries.ts";
import type { ChangePosition } from "./change-position.ts";
import type { ListChanges, ListedChanges } from "./change.schema.ts";

/** How positions are written for programs. */
export interface ProgramPositions {
  write(position: ChangePosition): string;
  /** Null for one that cannot be read any more. Throws InvalidInputError for what never was a position. */
  read(text: string): ChangePosition | null;
}

export interface ListedChangesDeps {
  readonly db: Pick<Db, "pool">;
  readonly positions: ProgramPositions;
}

export type ListedChangesService = ReturnType<typeof createListedChangesService>;

/** Lists the change log for programs. */
export function createListedChangesService({ db: { pool }, positions }: ListedChangesDeps) {
  return {
    /**
     * The changes since a position of what a program may read. Throws {@link GoneError} if they are not known: the log does not reach
     * that far back, has lost changes there, or is another one by now.
     */
    async list(
      { after, resources = [...RESOURCE_KINDS], limit }: ListChanges,
      { scopes, folder }: Pick<ApiKeyPrincipal, "scopes" | "folder">,
    ): Promise<ListedChanges> {
      const since = after === undefined ? undefined : positions.read(after);
      if (since === null) throw changesUnknown();
      const { lastSeq, lastAt, at } = await selectChangePlaces(pool, since?.seq ?? 0);
      const last = lastSeq === null || lastAt === null ? START : positionOf({ seq: lastSeq, timestamp: lastAt });
      if (since === undefined || (since.seq === last.seq && since.atMs === last.atMs)) {
        return { data: [], position: positions.write(last), hasMore: false };
      }
      const isKnown = at === null ? await isStart(pool, since) : since.atMs === Date.parse(at);
      if (lastSeq === null || !isKnown) throw changesUnknown();
      const found = await selectVisibleChanges(pool, {
        afterSeq: since.seq,
        lastSeq,
        kinds: resources.filter((kind) => isReadable(kind, scopes)),
        folder: folder ?? null,
        limit: limit + 1,
      });
      const changes = changesBeforeGap(found.slice(0, limit));
      const end = changes.at(-1);
      if (end === undefined && found.length > 0) throw changesUnknown();
      const isComplete = end === undefined || changes.length === found.length;
      return {
        data: changes.map(({ seq: _seq, ...change }) => change),
        position: positions.write(isComplete ? last : positionOf(end)),
        hasMore: !isComplete,
      };
    },
  };
}

/** The position in a log that was empty. */
const START: ChangePosition = { seq: 0 };

/** Whether a position is the start of the log, from which nothing has been removed yet. */
async function isStart(pool: Db["pool"], { seq }: ChangePosition): Promise<boolean> {
  return seq === 0 && (await selectLogEnds(pool)).first === 1;
}

function changesBeforeGap(entries: readonly LogEntry[]): ChangeEvent[] {
  const gap = entries.findIndex(isGap);
  return (gap === -1 ? entries : entries.slice(0, gap)).filter((entry) => !isGap(entry));
}

function positionOf({ seq, timestamp }: Pick<ChangeEvent, "seq" | "timestamp">): ChangePosition {
  return { seq, atMs: Date.parse(timestamp) };
}

function isReadable(kind: ResourceKind, scopes: ReadonlySet<ApiKeyScope>): boolean {
  const scope = READ_SCOPES[kind];
  return scope !== undefined && scopes.has(scope);
}

function changesUnknown(): GoneError {
  return new GoneError(
    "The changes since this position are no longer known. Get the present position without `after`, read everything again, and go on from there.",
  );
}
