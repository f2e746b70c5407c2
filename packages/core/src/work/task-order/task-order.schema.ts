import * as z from "zod";
import { taskStatus } from "../tasks/task.schema.ts";

export const moveTaskInput = z
  .object({
    id: z.string(),
    afterId: z.string().optional().meta({ description: "The task that it comes right after" }),
    beforeId: z
      .string()
      .optional()
      .meta({ description: "The task that it comes right before, if there is none that it comes after" }),
    parentId: z
      .string()
      .nullish()
      .meta({ description: "The task that it becomes a subtask of, or null for none. Unchanged by default" }),
    status: taskStatus.optional().meta({ description: "Of the column that it is moved to. Unchanged by default" }),
  })
  .refine(({ afterId, beforeId }) => (afterId ?? beforeId) !== undefined, {
    path: ["afterId"],
    message: "give the task that it comes after or before",
  });
export type MoveTask = z.infer<typeof moveTaskInput>;
