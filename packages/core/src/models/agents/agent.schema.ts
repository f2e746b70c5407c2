import * as z from "zod";
import { entityVersion, expectedVersion } from "../../platform/entity-version.ts";
import { pagingInput } from "../../platform/paging.ts";
import { effectSchema } from "../../platform/procedures/effect.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
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

export const cronExpression = z
  .string()
  .superRefine((expression, ctx) => {
    const problem = explainInvalidCron(expression);
    if (problem !== null) ctx.addIssue({ code: "custom", message: problem });
  })
  .meta({ description: "A cron expression of five fields, or of six with seconds" });

export const agentSchema = z
  .object({
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
        "Whether it may delete, overwrite and send data even after it has read text that the user may not have written. No one is asked for approval",
    }),
    nextRunAt: timestamp
      .nullable()
      .meta({ description: "When the schedule is next due; null if the agent is disabled" }),
    lastRunAt: timestamp.nullable(),
    lastStatus: runStatus.nullable(),
    creator: z.object({ id: z.string(), name: z.string() }),
    createdAt: timestamp,
    updatedAt: timestamp,
    version: entityVersion,
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof agentSchema>;

/** An agent as programs see it: without its prompt. */
export const listedAgentSchema = agentSchema
  .pick({
    id: true,
    name: true,
    description: true,
    enabled: true,
    schedule: true,
    lastRunAt: true,
    lastStatus: true,
  })
  .meta({ id: "ListedAgent" });

export const createAgentInput = z.object({
  name,
  description: description.nullish(),
  schedule: cronExpression,
  timezone: timeZoneInput.nullish(),
  prompt,
  enabled: z.boolean().optional(),
  maxTurns: maxTurns.optional(),
  maxBudgetUsd: budgetUsd.nullish(),
  dailyBudgetUsd: budgetUsd.nullish(),
  tools: tools.nullish().meta({ description: "Null is all of them; if omitted, those that only read" }),
  allowDestructive: z.boolean().optional(),
});
export type CreateAgent = z.output<typeof createAgentInput>;

export const updateAgentInput = z.object({
  id: z.string(),
  name: name.optional(),
  description: description.nullish(),
  schedule: cronExpression.optional(),
  timezone: timeZoneInput.nullish(),
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

/** A tool that people can give to an agent. */
export const agentToolSchema = z
  .object({
    name: z.string(),
    description: z.string().meta({ description: "The description given to the model" }),
    effect: effectSchema.meta({ description: "The most that a call can do" }),
    allows: z.string().meta({ description: "What it allows, in a plain sentence" }),
  })
  .meta({ id: "AgentTool" });
export type AgentTool = z.infer<typeof agentToolSchema>;

/** An agent as stored; its next run follows from its schedule and the time. */
export type StoredAgent = Omit<Agent, "nextRunAt">;

export const listAgentsInput = z.object({ ...pagingInput });
export type ListAgents = z.infer<typeof listAgentsInput>;

/** Enables or disables all agents, or those given. */
export const setEnabledInput = z.object({ enabled: z.boolean(), ids: z.array(z.string()).max(1000).optional() });
export type SetEnabled = z.infer<typeof setEnabledInput>;

export const nextRunsInput = z.object({ schedule: cronExpression, timezone: timeZoneInput.optional() });
export type PreviewSchedule = z.output<typeof nextRunsInput>;

export const nextRunsSchema = z.object({ timezone: z.string(), nextRuns: z.array(timestamp) }).meta({ id: "NextRuns" });
export type NextRuns = z.infer<typeof nextRunsSchema>;
