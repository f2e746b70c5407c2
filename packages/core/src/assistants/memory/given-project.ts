import type { Queryable } from "@workspace/db";
import { InvalidInputError } from "../../platform/errors.ts";
import { foldText } from "../../platform/fold-text.ts";
import { isProjectName, selectProjectNames, selectProjectsOfFolders } from "./given-project.queries.ts";
import { normalizeRemote } from "./git-remote.ts";
import { foldersAbove, toFilePath, toPlainPath } from "./project-path.ts";

/** In characters; longer names are taken as they are. An index entry must stay below a third of a page. */
export const MAX_KNOWN_LENGTH = 400;

const FOLDER = /^(?:\/|[A-Za-z]:[\\/])/;
/** With a scheme, a user, a host with a domain, or the suffix of a repository. Another name may contain a colon. */
const REMOTE = /^(?:[a-z][a-z\d+.-]*:\/\/|[^\s@/:]+@[^\s/:]+:|[^\s/:@.]+\.[^\s/:@]+:\S|[^\s/:@]+:\S+\.git$)/i;
/** The last parts of a name: that of a repository, and who owns it. */
const LAST_PARTS = /^[^/:@]+$|^[^/:@.]+\/[^/:@]+$/;
const HOST = /^[\w-]+(?:\.[\w-]+)+\/\S/;

/**
 * The name under which a given project is stored: a project may be given by a folder in which sessions had it, by the URL of its
 * repository, or by its name, in any case.
 */
export async function storedProject<Given extends string | null | undefined>(
  db: Queryable,
  given: Given,
): Promise<Given | string> {
  if (typeof given !== "string" || given === "") return given;
  const plain = toName(given);
  if (plain.length > MAX_KNOWN_LENGTH) return plain;
  return isFolder(plain) ? projectOfFolder(db, plain) : projectOfName(db, plain);
}

/** Under which names there may be records of a project that is given by one or more names: as it is stored, and as given. */
export async function projectNames(db: Queryable, given: readonly string[]): Promise<string[]> {
  const stored = await Promise.all(given.map((name) => storedProject(db, name)));
  return [...new Set([...stored, ...given.map(toName)])];
}

/** The same for a project that is given by those of the names that are there; undefined if it is not given at all. */
export async function givenProjectNames(
  db: Queryable,
  ...given: readonly (string | undefined)[]
): Promise<string[] | undefined> {
  const names = given.filter((name) => name !== undefined);
  return names.length === 0 ? undefined : projectNames(db, names);
}

/** Settings of projects under the names by which these are stored. Throws InvalidInputError if two are of the same project. */
export async function withStoredProjects<Row extends { readonly project: string }>(
  db: Queryable,
  rows: readonly Row[],
): Promise<Row[]> {
  const stored: Row[] = [];
  for (const row of rows) stored.push({ ...row, project: await storedProject(db, row.project) });
  if (new Set(stored.map(({ project }) => project)).size < stored.length)
    throw InvalidInputError.at("projects", "must name each project once, whether by its folder or its repository");
  return stored;
}

/** A folder in a repository belongs to it, unless sessions had another project there. */
async function projectOfFolder(db: Queryable, folder: string): Promise<string> {
  const [known] = await selectProjectsOfFolders(db, [folder, ...foldersAbove(folder)]);
  if (known === undefined) return folder;
  return known.folder === folder || !isFolder(known.project) ? known.project : folder;
}

/** Whether a project goes by its folder. */
export function isFolder(name: string): boolean {
  return FOLDER.test(name);
}

function toName(given: string): string {
  return toPlainPath<string>(toFilePath(given));
}

/** What is clearly a URL is preferred in its normal form, and everything else as it is given. */
async function projectOfName(db: Queryable, given: string): Promise<string> {
  const hasHost = HOST.test(given);
  const remote = normalizeRemote(hasHost ? `https://${given}` : given) ?? given;
  const candidates = REMOTE.test(given) ? [remote, given] : [given, remote];
  for (const name of new Set(candidates)) if (await isProjectName(db, name)) return name;
  const known = (await selectProjectNames(db)).map((name) => ({ name, folded: foldText(name) }));
  const [spelling] = candidates.flatMap((name) => known.filter(({ folded }) => folded === foldText(name)));
  return spelling?.name ?? onlyNameEndingIn(given, known) ?? (hasHost ? remote : candidates[0]) ?? given;
}

/** The name of the one project whose last part or parts are these; undefined if there is none or several. */
function onlyNameEndingIn(
  given: string,
  known: readonly { readonly name: string; readonly folded: string }[],
): string | undefined {
  if (!LAST_PARTS.test(given)) return undefined;
  const end = `/${foldText(given)}`;
  const [first, ...others] = known.filter(({ folded }) => folded.replaceAll("\\", "/").endsWith(end));
  return others.length === 0 ? first?.name : undefined;
}
