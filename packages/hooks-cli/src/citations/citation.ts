import { type JsonValue, isRecord, numberAt, stringAt } from "../json/json-value.ts";

/** What a memory rests on in a file of the project. */
export interface Citation {
  readonly id: string;
  readonly memoryId: string;
  /** From the root of the project, or absolute until the file was found. */
  readonly path: string;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
  /** The text of the lines, until they were found. */
  readonly quote: string | undefined;
  /** By which the lines are found again. */
  readonly fingerprint: string | undefined;
  /** Whether the lines were found the last time: `holds`, `broken`, or `unchecked`. */
  readonly state: string;
}

/** A citation in a response of the server or in a file of ours; none if it is incomplete. */
export function readCitation(value: JsonValue): readonly Citation[] {
  if (!isRecord(value)) return [];
  const [id, memoryId, path] = [stringAt(value, "id"), stringAt(value, "memoryId"), stringAt(value, "path")];
  if (id === undefined || memoryId === undefined || path === undefined) return [];
  return [
    {
      id,
      memoryId,
      path,
      startLine: numberAt(value, "startLine"),
      endLine: numberAt(value, "endLine"),
      quote: stringAt(value, "quote"),
      fingerprint: stringAt(value, "fingerprint"),
      state: stringAt(value, "state") ?? "unchecked",
    },
  ];
}
