import * as z from "zod";
import { CITATION_STATES, commitHash, isLineRange, LAST_LINE_NEEDS_FIRST, lineNumber } from "./citation.schema.ts";
import { projectMemoriesInput } from "./memory.schema.ts";

const MAX_CHECKS = 500;
/** As long as Linux permits, and as many lines as the largest file has in which the hooks look, of 512 KiB. */
const MAX_FOUND_PATH = 4096;
const MAX_FOUND_LINES = 512 * 1024;

export const listCitationsInput = projectMemoriesInput.pick({ folder: true }).extend({
  project: z.string().meta({ description: "The project's folder" }),
  limit: z.number().int().min(1).max(2000).default(500),
});
export type ListCitations = z.infer<typeof listCitationsInput>;

export const projectCitationSchema = z
  .object({
    id: z.string(),
    memoryId: z.string(),
    path: z.string(),
    startLine: z.number().int().nullable(),
    endLine: z.number().int().nullable(),
    quote: z.string().nullable(),
    fingerprint: z.string().nullable().meta({ description: "As the client that found the lines reported it" }),
    state: z.enum(CITATION_STATES),
  })
  .meta({ id: "ProjectCitation" });
export type ProjectCitation = z.infer<typeof projectCitationSchema>;

const foundPath = z
  .string()
  .min(1, "must not be empty")
  .max(MAX_FOUND_PATH, "must be at most 4,096 characters")
  .refine((path) => !path.startsWith("/") && !path.split("/").includes(".."), "must be a path inside the project");

/**
 * A client only finds lines in files of the project, so a check that says otherwise is an error of the client, and none of its
 * checks are recorded.
 */
const citationCheck = z
  .object({
    id: z.string(),
    holds: z.boolean(),
    path: foundPath.optional().meta({ description: "The file, from the root of the project" }),
    startLine: lineNumber.optional(),
    endLine: lineNumber.optional().meta({ description: "The last line; by default the first one" }),
    fingerprint: z.string().min(1, "must not be empty").max(100, "must be at most 100 characters").optional().meta({
      description: "By which the client will find the lines again; without one it is not recorded that they hold",
    }),
    commit: commitHash.optional(),
  })
  .refine(...isLineRange(MAX_FOUND_LINES))
  .meta({ dependentRequired: LAST_LINE_NEEDS_FIRST });

export const checkCitationsInput = z.object({
  checks: z.array(citationCheck).max(MAX_CHECKS, `must contain at most ${MAX_CHECKS} checks`),
});
export type CheckCitations = z.infer<typeof checkCitationsInput>;

export const checkedCitationsSchema = z.object({
  changedIds: z.array(z.string()).meta({ description: "The memories that are withheld from now on, or given again" }),
});

export const confirmMemoryInput = z.object({
  id: z.string(),
  isConfirmed: z.boolean().default(true).meta({ description: "false takes it back" }),
});
export type ConfirmMemory = z.infer<typeof confirmMemoryInput>;
