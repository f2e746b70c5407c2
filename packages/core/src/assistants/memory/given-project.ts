import type { Queryable } from "@workspace/db";
import { InvalidInputError } from "../../platform/errors.ts";
import { selectProjectSpelling, selectProjectsOfFolders } from "./given-project.queries.ts";
import { normalizeRemote } from "./git-remote.ts";
import { foldersAbove, toPlainPath } from "./project-path.ts";

/** In characters; longer names are taken as they are. An index entry must stay below a third of a page. */
export const MAX_KNOWN_LENGTH = 400;

const FOLDER = /^(?:\/|[A-Za-z]:[\\/])/;
/** With a scheme, a user, or the suffix of a repository. Another name may contain a colon. */
const REMOTE = /^(?:[a-z][a-z\d+.-]*:\/\/|[^\s@/:]+@[^\s/:]+:|[^\s/:@]+:\S+\.git$)/i;
const REMOTE_WITHOUT_SCHEME = /^[\w-]+(?:\.[\w-]+)+\/\S+\.git$/i;

/**
 * The name under which a given project is stored: a project may be given by a folder in which sessions had it, by the URL of its
 * repository, or by its name, in any case.
 */
export async function storedProject<Given extends string | null | undefined>(
  db: Queryable,
  given: Given,
): Promise<Given | string> {
  if (typeof given !== "string" || given === "") return given;
  const plain = toPlainPath<string>(given);
  if (plain.length > MAX_KNOWN_LENGTH) return plain;
  return isFolder(plain) ? projectOfFolder(db, plain) : projectOfName(db, plain);
}

/** Under which names there may be records of a project that is given by one or more names: as it is stored, and as given. */
export async function projectNames(db: Queryable, given: readonly string[]): Promise<string[]> {
  const stored = await Promise.all(given.map((name) => storedProject(db, name)));
  return [...new Set([...stored, ...given.map((name) => toPlainPath(name))])];
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

async function projectOfName(db: Queryable, given: string): Promise<string> {
  const url = REMOTE_WITHOUT_SCHEME.test(given) ? `https://${given}` : given;
  const name = (REMOTE.test(url) ? normalizeRemote(url) : undefined) ?? given;
  return (await selectProjectSpelling(db, name)) ?? name;
}
