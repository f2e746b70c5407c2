import { sessionQuery, type SessionUser } from "../api/session.ts";
import type { Client } from "../client/client.ts";
import { localCopy } from "../local-copy/local-copy.ts";

/** Who is signed in; whose copy the browser keeps, if that is known first or the server is away. */
export async function knownUser(client: Client): Promise<SessionUser | null> {
  const session = client.queries.ensureQueryData(sessionQuery(client));
  const kept = localCopy(client)
    .earlier()
    .then((copy) => copy?.user);
  return Promise.race([
    session.catch(async (error: unknown) => (await kept) ?? fail(error)),
    kept.then((user) => user ?? session),
  ]);
}

function fail(error: unknown): never {
  throw error;
}
