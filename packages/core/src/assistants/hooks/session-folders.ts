import type { FileTouch } from "../file-history/file-touches.ts";
import { isFolder, MAX_KNOWN_LENGTH } from "../memory/given-project.ts";
import { toPlainPath } from "../memory/project-path.ts";
import type { HookEvent } from "./hook-event.schema.ts";

/** That a session had a project in a folder. */
export interface SessionFolder {
  readonly folder: string;
  readonly project: string;
  /** Whether the event names the project. Otherwise the folder is taken for it, unless more is known. */
  readonly isNamed: boolean;
  readonly seenAt: string;
}

/** The folders of events and of the files that they changed, each once: the latest that is named, otherwise the latest. */
export function sessionFolders(events: readonly HookEvent[], touches: readonly FileTouch[]): SessionFolder[] {
  const roots = new Map(touches.map(({ eventId, root }) => [eventId, root]));
  const folders = events
    .flatMap((event) => foldersOf(event, roots.get(event.id)))
    .filter(({ folder, project }) => isFolder(folder) && [folder, project].every(isIndexable))
    .toSorted((one, other) => Number(one.isNamed) - Number(other.isNamed) || (one.seenAt < other.seenAt ? -1 : 1));
  return [...new Map(folders.map((folder) => [folder.folder, folder])).values()];
}

function foldersOf({ projectDir, eventData, createdAt: seenAt }: HookEvent, root: string | undefined): SessionFolder[] {
  const name = eventData?.["project"];
  const isNamed = typeof name === "string" && name !== "";
  const project = toPlainPath(isNamed ? name : (root ?? ""));
  const folders = isNamed ? [projectDir ?? "", root ?? "", name] : [root ?? ""];
  return folders.map((folder) => ({ folder: toPlainPath(folder), project, isNamed, seenAt }));
}

function isIndexable(text: string): boolean {
  return text !== "" && text.length <= MAX_KNOWN_LENGTH;
}
