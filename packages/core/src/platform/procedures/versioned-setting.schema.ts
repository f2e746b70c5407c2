import * as z from "zod";
import { INT4_MAX } from "../number-range.ts";
import { timestamp } from "./response.ts";

/** In the input of a change: the version that the caller has seen. `subject` is what is changed, with its verb: "the policy has". */
export function expectedVersion(subject: string) {
  return z
    .number()
    .int()
    .min(0)
    .max(INT4_MAX)
    .optional()
    .meta({ description: `Reject the change if ${subject} been changed since` });
}

/** What a setting has in addition to its document. */
export const versionFields = {
  version: z.number().int().meta({ description: "Increases by one with each change; 0 if none was ever set" }),
  updatedAt: timestamp.nullable(),
};
