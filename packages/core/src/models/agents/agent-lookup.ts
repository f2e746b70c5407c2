import type { PoolClient, Queryable } from "@workspace/db";
import { assertVersion, parseExpectedVersions } from "../../platform/entity-version.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { lockAgent, selectAgent } from "./agent.queries.ts";
import type { StoredAgent } from "./agent.schema.ts";

/** Throws {@link NotFoundError}. */
export async function requireAgent(db: Queryable, id: string): Promise<StoredAgent> {
  const agent = isUuid(id) ? await selectAgent(db, id) : null;
  if (agent === null) throw noSuchAgent();
  return agent;
}

/** Locks an agent until the transaction ends. Throws {@link NotFoundError}, and PreconditionFailedError for another version. */
export async function lockAgentVersion(
  client: PoolClient,
  id: string,
  expectedVersion: string | undefined,
): Promise<{ agent: StoredAgent; scheduledSince: string }> {
  const locked = isUuid(id) ? await lockAgent(client, id) : null;
  if (locked === null) throw noSuchAgent();
  assertVersion(parseExpectedVersions(expectedVersion), Number(locked.agent.version));
  return locked;
}

export function noSuchAgent(): NotFoundError {
  return new NotFoundError("There is no such agent.");
}
