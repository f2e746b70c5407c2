import type { Queryable } from "@workspace/db";
import { selectLinkable, type LinkableDocument } from "../file-records/link-plan.queries.ts";
import type { MeantDocument } from "../markdown/link-rewrite.ts";
import {
  createLinkResolver,
  linkNameOf,
  readingsOf,
  type LinkResolver,
  type LinkTarget,
} from "../markdown/wiki-links.ts";
import type { PendingFile } from "./link-update.queries.ts";

/** The documents that the links of an update may refer to, as they are now. */
export interface LinkWorld {
  readonly resolve: LinkResolver<LinkableDocument>;
  readonly byId: ReadonlyMap<string, LinkableDocument>;
}

/** Reads the documents to which links are to refer, and all others with the same names. */
export async function readLinkWorld(db: Queryable, pending: readonly PendingFile[]): Promise<LinkWorld> {
  const planned = pending.flatMap(({ targets }) => targets);
  const ids = [...new Set(planned.map(({ documentId }) => documentId))];
  const meant = await selectLinkable(db, [], ids);
  const names = new Set(planned.flatMap(({ link }) => readingsOf(link).map(linkNameOf)));
  for (const { path } of meant) names.add(linkNameOf(path));
  const documents = await selectLinkable(db, [...names], ids);
  return { resolve: createLinkResolver(documents), byId: new Map(meant.map((document) => [document.id, document])) };
}

/** Whether any of the documents meant has another path by now. */
export async function haveMoved(db: Queryable, { byId }: LinkWorld): Promise<boolean> {
  const now = await selectLinkable(db, [], [...byId.keys()]);
  return now.some(({ id, path }) => byId.get(id)?.path !== path);
}

/** The function that returns what a link in a document is to refer to. Of two links that are written alike, the first counts. */
export function meantBy(
  { targets }: PendingFile,
  { byId }: LinkWorld,
): (link: LinkTarget) => MeantDocument<LinkableDocument> | null {
  const planned = new Map(targets.toReversed().map((each) => [keyOf(each.link), each]));
  return (link) => {
    const found = planned.get(keyOf(link));
    const document = found === undefined ? undefined : byId.get(found.documentId);
    return found === undefined || document === undefined ? null : { document, written: found.written };
  };
}

function keyOf({ target, part }: LinkTarget): string {
  return `${target}\n${part}`;
}
