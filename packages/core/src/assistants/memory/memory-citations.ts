import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { isUuid, type IdGenerator } from "../../platform/ids.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { selectMemoriesForUpdate } from "./memory-changes.queries.ts";
import type { CitationInput } from "./citation.schema.ts";
import {
  confirmCitations,
  lockCitedMemories,
  selectProjectCitations,
  updateCitations,
  withholdMemories,
  type NewCitation,
} from "./memory-citation.queries.ts";
import type { CheckCitations, ConfirmMemory, ListCitations, ProjectCitation } from "./memory-citation.schema.ts";
import type { MemoryPublisher } from "./memory-events.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import { projectNames } from "./given-project.ts";
import { folderPrefix, projectScope } from "./project-path.ts";
import { noSuchMemory } from "./stored-memory.ts";

/** Lines that no client has found until then are not looked for any longer. */
const SOUGHT_MS = 30 * 24 * 60 * 60 * 1000;

export interface MemoryCitationsDeps extends Deps<"db" | "clock"> {
  readonly publish: MemoryPublisher;
}

/** What memories rest on in the files of their projects, which only clients can see. */
export function createMemoryCitations({ db, clock, publish }: MemoryCitationsDeps) {
  return {
    /** What a client is to look for in the working tree of a project. */
    async list({ project, folder, limit }: ListCitations): Promise<ProjectCitation[]> {
      const { own } = projectScope(await projectNames(db.pool, [project, folder ?? project]));
      const createdSince = new Date(clock.now().getTime() - SOUGHT_MS);
      return selectProjectCitations(db.pool, own, { createdSince, limit });
    },

    /** Records what a client has found, and withholds memories with lines that are not there any more. */
    async check({ checks }: CheckCitations): Promise<{ changedIds: string[] }> {
      const now = clock.now();
      const known = checks.filter(({ id }) => isUuid(id));
      const changed = await transaction(db.pool, async (client) => {
        const memoryIds = await lockCitedMemories(
          client,
          known.map(({ id }) => id),
        );
        await updateCitations(client, known, now);
        return withholdMemories(client, memoryIds, now);
      });
      for (const memory of changed) publish("edit", memory);
      return { changedIds: changed.map(({ id }) => id) };
    },

    /** Has a memory given again although lines that it rests on have changed, or takes that back. Throws NotFoundError. */
    async confirm({ id, isConfirmed }: ConfirmMemory): Promise<MemoryChunk> {
      const memory = await transaction(db.pool, async (client) => {
        if (!(await confirmMemory(client, id, clock.now(), isConfirmed))) throw noSuchMemory();
        const [changed] = await selectMemoriesForUpdate(client, [id]);
        if (changed === undefined) throw noSuchMemory();
        return changed;
      });
      publish("edit", memory);
      return memory;
    },
  };
}

/** Whether there is such a memory, which then counts as valid whatever became of the lines that it rests on. */
export async function confirmMemory(client: PoolClient, id: string, now: Date, isConfirmed = true): Promise<boolean> {
  const [memory] = isUuid(id) ? await selectMemoriesForUpdate(client, [id]) : [];
  if (memory === undefined) return false;
  await confirmCitations(client, memory.id, isConfirmed, now);
  await withholdMemories(client, [memory.id], now);
  return true;
}

/** Citations as they are stored: with paths from the root of the project, and without any that quotes a secret. */
export function toCitations(
  citations: readonly CitationInput[],
  projectPath: string | null,
  { ids, redactor }: { readonly ids: IdGenerator; readonly redactor: Pick<Redactor, "redact"> },
): NewCitation[] {
  return citations
    .filter(({ quote = "" }) => redactor.redact(quote) === quote)
    .map(({ path, startLine, endLine = startLine, quote = "", commit }) => ({
      id: ids(),
      path: fromRoot(path, projectPath),
      startLine: startLine ?? null,
      endLine: endLine ?? null,
      quote: quote.trim() === "" ? null : quote,
      commit: commit ?? null,
    }));
}

function fromRoot(path: string, projectPath: string | null): string {
  const prefix = projectPath === null ? "./" : folderPrefix(projectPath);
  return (path.startsWith(prefix) ? path.slice(prefix.length) : path).replace(/^(?:\.\/)+(?=.)/, "") || path;
}
