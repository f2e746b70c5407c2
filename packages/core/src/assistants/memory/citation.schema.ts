import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";

export const CITATION_STATES = ["unchecked", "holds", "broken", "confirmed"] as const;
const MAX_CITED_LINES = 500;

/** Whether a path leads out of the folder that it begins in. */
export function leadsOut(path: string): boolean {
  let depth = 0;
  for (const name of path.split(/[\\/]/)) {
    if (name === "..") depth -= 1;
    else if (name !== "." && name !== "") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

export const citedPath = z
  .string()
  .min(1, "must not be empty")
  .max(1000, "must be at most 1,000 characters")
  .refine((path) => !leadsOut(path), "must be a path inside the project")
  .meta({ description: "The file, from the root of the project; or its absolute path" });
export const lineNumber = z.number().int().min(1).max(10_000_000);
export const commitHash = z.string().regex(/^[0-9a-f]{7,64}$/, "must be the hash of a commit");

/** What of {@link isLineRange} a JSON schema can say. */
export const LAST_LINE_NEEDS_FIRST = { endLine: ["startLine"] };

interface Lines {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

/** For `refine`: a last line comes with a first one, which is not after it; there are at most so many lines. */
export function isLineRange(maxLines: number): [(lines: Lines) => boolean, { path: string[]; message: string }] {
  const message = `must come with startLine, and be that or at most ${maxLines - 1} lines after it`;
  return [
    ({ startLine, endLine }) =>
      endLine === undefined || (startLine !== undefined && endLine >= startLine && endLine - startLine < maxLines),
    { path: ["endLine"], message },
  ];
}

export const citationInput = z
  .object({
    path: citedPath,
    startLine: lineNumber
      .optional()
      .meta({ description: "The first line; without lines and quote, the file has to exist" }),
    endLine: lineNumber.optional().meta({ description: "The last line; by default the first one" }),
    quote: z
      .string()
      .max(2000, "must be at most 2,000 characters")
      .optional()
      .meta({ description: "The text of the lines, by which they are found; kept until then" }),
    commit: commitHash.optional(),
  })
  .refine(...isLineRange(MAX_CITED_LINES))
  .meta({ dependentRequired: LAST_LINE_NEEDS_FIRST });
export type CitationInput = z.infer<typeof citationInput>;

export const memoryCitationSchema = z
  .object({
    path: z.string(),
    startLine: z.number().int().nullable(),
    endLine: z.number().int().nullable(),
    commit: z.string().nullable().meta({ description: "The commit that was checked out when the lines were found" }),
    state: z.enum(CITATION_STATES).meta({
      description:
        "Whether the lines were found when the hooks looked for them last; confirmed: they were not, but the memory holds",
    }),
    checkedAt: timestamp.nullable().meta({ description: "Since when that is known" }),
  })
  .meta({ id: "MemoryCitation" });
export type MemoryCitation = z.infer<typeof memoryCitationSchema>;
