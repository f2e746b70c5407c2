import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { projectCollection } from "../projects/project-collection.ts";
import type { ProjectPatch } from "../projects/project.ts";
import { isSame, type ProjectChange } from "./kept-change.ts";
import type { SendResult } from "./send-result.ts";

const PRECONDITION_FAILED = 412;
const FIELDS = ["name", "color", "description"] as const;

/** Sends a change of a project, unless the server has it already or somebody else has changed the same fields. */
export async function sendProjectChange(
  client: Client,
  id: string,
  change: ProjectChange,
): Promise<SendResult | "overtaken"> {
  const { projects } = client.api;
  if (change.kind === "create-project")
    return { kind: "sent", row: { project: (await projects.create.mutate({ ...change.input, id })).data } };
  const current = (await projects.get.query({ id })).data;
  if (change.kind !== "update-project") {
    const isDeleted = change.kind === "delete-project";
    if ((current.deletedAt !== null) === isDeleted) return { kind: "sent", row: { project: current } };
    const { data } = await projects[isDeleted ? "delete" : "restore"].mutate({ id });
    return { kind: "sent", row: { project: { ...current, deletedAt: data.deletedAt } } };
  }
  const { patch, before } = change;
  if (current.deletedAt !== null) return { kind: "problem", problem: { reason: "The project has been deleted." } };
  const missing = FIELDS.filter((field) => patch[field] !== undefined && !isSame(current[field], patch[field]));
  const isTheirs = (field: (typeof FIELDS)[number]) => !isSame(current[field], before[field]);
  const [made, conflicts] = [missing.filter((field) => !isTheirs(field)), missing.filter(isTheirs)];
  const fields = (from: ProjectPatch, names: readonly (typeof FIELDS)[number][]): ProjectPatch =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  let project = current;
  if (made.length > 0) {
    try {
      const input = { ...fields(patch, made), id, expectedVersion: current.version };
      project = (await projects.update.mutate(input)).data;
      projectCollection(client).put([project]);
    } catch (error) {
      if (toRequestError(error).status === PRECONDITION_FAILED) return "overtaken";
      throw error;
    }
  }
  if (conflicts.length === 0) return { kind: "sent", row: { project } };
  const problem = { reason: "It was changed elsewhere, too.", project: fields(project, conflicts) };
  return { kind: "problem", problem, left: { ...change, patch: fields(patch, conflicts) } };
}
