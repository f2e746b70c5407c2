import type { PoolClient } from "@workspace/db";
import { inSlices } from "../../platform/in-slices.ts";
import type { PlannedLink } from "../markdown/link-rewrite.ts";
import { createLinkResolver, linkNameOf, linkNamesTo, readingsOf, type ResolvedLink } from "../markdown/wiki-links.ts";
import { isWithin, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import {
  putLinkUpdate,
  selectAffectedLinks,
  selectLinkable,
  type LinkableDocument,
  type NewLinkUpdate,
  type PathChange,
  type StoredLink,
} from "./link-plan.queries.ts";

/** A document that gets another path. */
export interface DocumentMove extends PathChange {
  readonly id: string;
}

export interface LinkPlan extends NewLinkUpdate {
  readonly documents: readonly DocumentMove[];
  /** Only links in documents in this folder, before or afterwards, are changed. */
  readonly within?: VaultPath | undefined;
}

/**
 * Plans which links have to be changed so that they refer to the same documents after a move, and records that as a link update. To be
 * called in the transaction of the move, before the documents get their new paths. Only the database is read: what a file says is
 * looked at when its links are changed. Returns whether there is anything to change.
 */
export async function planLinkUpdate(client: PoolClient, plan: LinkPlan): Promise<boolean> {
  const { documents, within = VAULT_ROOT } = plan;
  const moved = new Map(documents.map((move) => [move.id, move]));
  const names = new Set(documents.flatMap(({ from, to }) => [...linkNamesTo(from), ...linkNamesTo(to)]));
  const links = await selectAffectedLinks(client, [...names], [...moved.keys()]);
  const isAllowed = ({ sourceId, sourcePath }: StoredLink) =>
    isWithin(sourcePath, within) || isWithin(moved.get(sourceId)?.to ?? sourcePath, within);
  const planned = await findBrokenLinks(client, links.filter(isAllowed), moved, within);
  if (planned.size === 0) return false;
  await putLinkUpdate(client, plan, planned);
  return true;
}

/** The links that would refer to another document or to none after a move, by the documents with these links. */
async function findBrokenLinks(
  client: PoolClient,
  links: readonly StoredLink[],
  moved: ReadonlyMap<string, DocumentMove>,
  within: VaultPath,
): Promise<Map<string, PlannedLink[]>> {
  const planned = new Map<string, PlannedLink[]>();
  if (links.length === 0) return planned;
  const names = new Set(links.flatMap((link) => readingsOf(link).map(linkNameOf)));
  const candidates = await selectLinkable(client, [...names], [...moved.keys()]);
  const resolveBefore = createLinkResolver(
    candidates.map(({ id, path }) => ({ id, path: moved.get(id)?.from ?? path })),
  );
  const resolveAfter = createLinkResolver(candidates.map(({ id, path }) => ({ id, path: moved.get(id)?.to ?? path })));

  await inSlices(links, ({ sourceId, sourcePath, target, part }) => {
    const link = { target, part };
    const move = moved.get(sourceId);
    const before = resolveBefore(link, move?.from ?? sourcePath);
    // What it refers to is unknown, so it cannot be kept.
    if (before === null || before.isAmbiguous) return;
    // Changing it would tell whoever may only see this folder what exists elsewhere.
    if (!isWithin(before.document.path, within)) return;
    if (isKept(before, resolveAfter(link, move?.to ?? sourcePath))) return;
    const { document, target: written, form } = before;
    const entry = { link, written: { target: written, form }, documentId: document.id };
    const entries = planned.get(sourceId);
    if (entries === undefined) planned.set(sourceId, [entry]);
    else entries.push(entry);
  });
  return planned;
}

/** Other programs do not find a file by the end of its path. */
function isKept(before: ResolvedLink<LinkableDocument>, after: ResolvedLink<LinkableDocument> | null): boolean {
  return after?.document.id === before.document.id && (before.form === "ending" || after.form !== "ending");
}
