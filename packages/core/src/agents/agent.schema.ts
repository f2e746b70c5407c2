import * as z from "zod";
import { entityVersion, expectedVersion } from "../platform/entity-version.ts";
import { pagingInput } from "../platform/paging.ts";
import { timestamp } from "../platform/response.ts";
import { isTimeZone } from "../platform/time-zone.ts";
import { toolEffect } from "../tools/tool-effect.ts";
import { runStatus } from "./agent-run.schema.ts";
import { explainInvalidCron } from "./cron-schedule.ts";

const name = z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters");
const description = z.string().max(10_000, "must be at most 10,000 characters");
const prompt = z
  .string()
  .max(100_000, "must be at most 100,000 characters")
  .refine((text) => text.trim() !== "", "must not be empty");
const maxTurns = z.number().int().min(1, "must be at least 1").max(1000, "must be at most 1000");
const budgetUsd = z.number().min(0, "must not be negative").max(1_000_000, "must be at most 1,000,000");
const tools = z.array(z.string().max(100)).max(100);

export const cronExpression = z.string().superRefine((expression, ctx) => {
  const problem = explainInvalidCron(expression);
  if (problem !== null) ctx.addIssue({ code: "custom", message: problem });
});
export const timeZone = z.string().refine(isTimeZone, "expected the IANA name of a time zone, such as Europe/Berlin");

export const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  schedule: z.string(),
  timezone: z.string().nullable().meta({ description: "IANA name; null is the server's time zone" }),
  prompt: z.string(),
  enabled: z.boolean(),
  maxTurns: z.number().int(),
  maxBudgetUsd: z.number().nullable().meta({ description: "US dollars per run; null is no limit" }),
  dailyBudgetUsd: z
    .number()
    .nullable()
    .meta({ description: "US dollars per day, all runs together; null is no limit" }),
  tools: z.array(z.string()).nullable().meta({ description: "The tools it may use; null is all of them" }),
  allowDestructive: z.boolean().meta({
    description:
      "Whether it may delete, overwrite and send things out also after it has read text that the user may not have written. Nobody is asked",
  }),
  nextRunAt: timestamp.nullable().meta({ description: "When the schedule is due next; null where it is switched off" }),
  lastRunAt: timestamp.nullable(),
  lastStatus: runStatus.nullable(),
  creator: z.object({ id: z.string(), name: z.string() }),
  createdAt: timestamp,
  updatedAt: timestamp,
  version: entityVersion,
});
export type Agent = z.infer<typeof agentSchema>;

export const createAgentInput = z.object({
  name,
  description: description.nullish(),
  schedule: cronExpression,
  timezone: timeZone.nullish(),
  prompt,
  enabled: z.boolean().optional(),
  maxTurns: maxTurns.optional(),
  maxBudgetUsd: budgetUsd.nullish(),
  dailyBudgetUsd: budgetUsd.nullish(),
  tools: tools.nullish().meta({ description: "Null is all of them; left out, those that only read" }),
  allowDestructive: z.boolean().optional(),
});
export type CreateAgent = z.output<typeof createAgentInput>;

export const updateAgentInput = z.object({
  id: z.string(),
  name: name.optional(),
  description: description.nullish(),
  schedule: cronExpression.optional(),
  timezone: timeZone.nullish(),
  prompt: prompt.optional(),
  enabled: z.boolean().optional(),
  maxTurns: maxTurns.optional(),
  maxBudgetUsd: budgetUsd.nullish(),
  dailyBudgetUsd: budgetUsd.nullish(),
  tools: tools.nullish(),
  allowDestructive: z.boolean().optional(),
  expectedVersion,
});
export type UpdateAgent = z.output<typeof updateAgentInput>;

export const deleteAgentInput = z.object({ id: z.string(), expectedVersion });

/** A tool as people choose it for an agent. */
export const agentToolSchema = z.object({
  name: z.string(),
  description: z.string().meta({ description: "What the model is told" }),
  effect: toolEffect.meta({ description: "The most that a call can do" }),
  allows: z.string().meta({ description: "What it allows, in a plain sentence" }),
});
export type AgentTool = z.infer<typeof agentToolSchema>;

/** An agent as it is stored; when it runs next follows from its schedule and the time. */
export type StoredAgent = Omit<Agent, "nextRunAt">;

export const listAgentsInput = z.object({ ...pagingInput });
export type ListAgents = z.infer<typeof listAgentsInput>;

/** Switches several agents at once: all of them, or those given. */
export const setEnabledInput = z.object({ enabled: z.boolean(), ids: z.array(z.string()).max(1000).optional() });
export type SetEnabled = z.infer<typeof setEnabledInput>;

export const nextRunsInput = z.object({ schedule: cronExpression, timezone: timeZone.optional() });
export const nextRunsSchema = z.object({ timezone: z.string(), nextRuns: z.array(timestamp) });
export type NextRuns = z.infer<typeof nextRunsSchema>;
