import * as z from "zod";
import { PARTY_KINDS } from "../task-filter/filtered-task.ts";
import { filterInput } from "../task-filter/task-filter.schema.ts";
import { taskRefSchema, taskSchema } from "../tasks/task.schema.ts";

const MAX_NOTE_CHARACTERS = 10_000;
export const MAX_BLOCKERS = 100;

const projectId = z.string().optional().meta({ description: "Only tasks of this project" });
const tag = z.string().max(100).optional().meta({ description: "Only tasks with this tag" });
const leaseMinutes = z
  .number()
  .int()
  .min(1)
  .max(240)
  .default(15)
  .meta({ description: "After how many minutes others may claim the task, unless the claim is renewed" });
const claimId = z
  .string()
  .optional()
  .meta({ description: "As returned when the task was claimed. Only people who are signed in may omit it" });

const note = z
  .string()
  .trim()
  .max(MAX_NOTE_CHARACTERS, "must be at most 10,000 characters")
  .optional()
  .meta({ description: "What whoever continues should know; shown with the task" });

export const listReadyInput = z.object({
  projectId,
  tag,
  ...filterInput,
  limit: z.number().int().min(1).max(200).default(20),
});
export type ListReady = z.infer<typeof listReadyInput>;

export const claimTaskInput = z.object({
  id: z.string().optional().meta({ description: "The task to claim; by default the first one that is ready" }),
  projectId,
  tag,
  leaseMinutes,
  sessionId: z
    .string()
    .min(1, "must not be empty")
    .max(255, "must be at most 255 characters")
    .optional()
    .meta({ description: "The id of the assistant's session that works on the task" }),
});
export type ClaimTask = z.infer<typeof claimTaskInput>;

export const claimedTaskSchema = z
  .object({
    task: taskSchema,
    claimId: z.string().meta({ description: "Needed to renew the claim and to release the task" }),
  })
  .nullable()
  .meta({ id: "ClaimedTask", description: "null if no task is ready" });
export type ClaimedTask = z.infer<typeof claimedTaskSchema>;

export const renewClaimInput = z.object({ id: z.string(), claimId: z.string(), leaseMinutes });
export type RenewClaim = z.infer<typeof renewClaimInput>;

export const releaseTaskInput = z.object({
  id: z.string(),
  claimId,
  note,
});
export type ReleaseTask = z.infer<typeof releaseTaskInput>;

export const handOverInput = z.object({
  id: z.string(),
  to: z
    .object({ kind: z.enum(PARTY_KINDS), id: z.string().max(100, "must be at most 100 characters") })
    .nullable()
    .meta({ description: "The person, agent or key that continues; null for whoever claims it" }),
  claimId: claimId.meta({
    description:
      "As returned when the task was claimed. Needed while it is claimed; people who are signed in may omit it",
  }),
  note,
});
export type HandOver = z.infer<typeof handOverInput>;

export const setBlockersInput = z.object({
  id: z.string(),
  blockedBy: z
    .array(z.string())
    .max(MAX_BLOCKERS, `must contain at most ${MAX_BLOCKERS} tasks`)
    .meta({ description: "The ids of all tasks that have to be done first" }),
});
export type SetBlockers = z.infer<typeof setBlockersInput>;

export const taskBlocksSchema = z
  .object({
    blockedBy: z.array(taskRefSchema).meta({ description: "What has to be done first, oldest first" }),
    blocks: z.array(taskRefSchema).meta({ description: "What can begin when this is done, oldest first" }),
  })
  .meta({ id: "TaskBlocks" });
export type TaskBlocks = z.infer<typeof taskBlocksSchema>;
