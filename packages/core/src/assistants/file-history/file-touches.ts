import * as z from "zod";
import { toPlainPath } from "../memory/project-path.ts";
import { fileEdits, pathFromRoot, unpackKeys, writtenKeys } from "./written-lines.ts";

/** That a session changed a file. */
export interface FileTouch {
  readonly eventId: string;
  readonly sessionId: string;
  /** The name of the project, usually that of its git remote, and the folder in which the session had it. */
  readonly project: string;
  readonly root: string;
  /** From the root; absolute if it is elsewhere. */
  readonly path: string;
  /** Whether the keys are those of the whole file, of which it is unknown which lines were new. */
  readonly isWhole: boolean;
  readonly writtenKeys: readonly number[];
  readonly createdAt: string;
}

/** What a hook event says about the change of a file. */
interface ToolEvent {
  readonly id: string;
  readonly eventType: string;
  readonly sessionId: string | null;
  readonly projectDir: string | null;
  readonly eventData: Readonly<Record<string, unknown>> | null;
  readonly createdAt: string;
}

const MAX_FILES = 20;
const MAX_KEYS = 1000;
/** In characters; an index entry must stay below a third of a page. */
const MAX_INDEXED_LENGTH = 400;

/** What the hooks CLI reports, which knows the texts before they were cut. */
const reportedSchema = z.object({
  root: z.string(),
  files: z.array(z.object({ path: z.string(), lines: z.string(), whole: z.boolean().optional() })),
});

/**
 * The files that a recorded event changed, each once, with the keys of the lines that it wrote: as the hooks CLI reports them, or
 * as far as the tool's input shows.
 */
export function fileTouches({ id, eventType, sessionId, projectDir, eventData, createdAt }: ToolEvent): FileTouch[] {
  if (eventType !== "PostToolUse" || sessionId === null || eventData === null) return [];
  const reported = reportedSchema.safeParse(eventData["writtenLines"]).data;
  const root = toPlainPath(reported?.root ?? projectDir ?? "");
  const name = eventData["project"];
  const project = toPlainPath(typeof name === "string" && name !== "" ? name : root);
  const touches = (reported === undefined ? readInput(eventData, root) : unpack(reported)).map((file) => ({
    eventId: id,
    sessionId,
    project,
    root,
    createdAt,
    ...file,
  }));
  const indexed = touches.filter((touch) =>
    [touch.project, touch.root, touch.path].every((text) => text.length <= MAX_INDEXED_LENGTH),
  );
  return [...new Map(indexed.map((touch) => [touch.path, touch])).values()];
}

type TouchedFile = Pick<FileTouch, "path" | "isWhole" | "writtenKeys">;

function unpack({ files }: z.infer<typeof reportedSchema>): TouchedFile[] {
  return files.slice(0, MAX_FILES).map(({ path, lines, whole = false }) => ({
    path,
    isWhole: whole,
    writtenKeys: unpackKeys(lines, MAX_KEYS),
  }));
}

function readInput(eventData: Readonly<Record<string, unknown>>, root: string): TouchedFile[] {
  const input = z.record(z.string(), z.unknown()).safeParse(eventData["toolInput"] ?? eventData["tool_input"]).data;
  const response = eventData["toolResponse"] ?? eventData["tool_response"];
  const edits = input === undefined ? [] : fileEdits(input, response);
  return edits.map((edit) => ({
    path: pathFromRoot(edit.path, root, root),
    isWhole: edit.isWhole,
    writtenKeys: writtenKeys(edit, MAX_KEYS),
  }));
}
