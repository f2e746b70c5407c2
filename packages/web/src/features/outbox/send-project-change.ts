import type { Client } from "../../client/client.ts";
import { projectCollection } from "../projects/project-collection.ts";
import type { Project, ProjectPatch } from "../projects/project.ts";
import { isSame, type ProjectChange } from "./kept-change.ts";
import { deletionProblem, seenAfter, seenProject } from "./seen-row.ts";
import { unlessOvertaken, type SendResult } from "./send-result.ts";

const FIELDS = ["name", "color", "description"] as const;

/** Sends a change of a project, unless the server has it already or somebody else has changed the same fields. */
export async function sendProjectChange(
  client: Client,
  id: string,
  change: ProjectChange,
): Promise<SendResult | "overtaken"> {
  const { projects } = client.api;
  if (change.kind === "create-project") return sentFields((await projects.create.mutate({ ...change.input, id })).data);
  const current = (await projects.get.query({ id })).data;
  if (change.kind === "delete-project") return sendDeletion(client, current, change);
  if (change.kind === "restore-project") {
    if (current.deletedAt === null) return { kind: "sent", row: { project: current } };
    const { deletedAt } = (await projects.restore.mutate({ id })).data;
    return { kind: "sent", row: { project: { ...current, deletedAt } } };
  }
  const { patch, before } = change;
  if (current.deletedAt !== null)
    return { kind: "problem", problem: { reason: "The project has been deleted.", isGone: true } };
  const missing = FIELDS.filter((field) => patch[field] !== undefined && !isSame(current[field], patch[field]));
  const isTheirs = (field: (typeof FIELDS)[number]) => !isSame(current[field], before[field]);
  const [made, conflicts] = [missing.filter((field) => !isTheirs(field)), missing.filter(isTheirs)];
  const fields = (from: ProjectPatch, names: readonly (typeof FIELDS)[number][]): ProjectPatch =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  let project = current;
  if (made.length > 0) {
    const input = { ...fields(patch, made), id, expectedVersion: current.version };
    const updated = await unlessOvertaken(projects.update.mutate(input));
    if (updated === "overtaken") return updated;
    project = updated.data;
    projectCollection(client).put([project]);
  }
  // Also what the server had already: the response to an earlier request may have been lost.
  const own = FIELDS.filter((field) => patch[field] !== undefined && !conflicts.includes(field));
  const sent = sentFields(project, { ...seenProject(current), ...fields(before, own) });
  if (conflicts.length === 0) return sent;
  const problem = { reason: "It was changed elsewhere, too.", project: fields(project, conflicts) };
  return { ...sent, kind: "problem", problem, left: { ...change, patch: fields(patch, conflicts) } };
}

/** Deletes a project as it was seen, with what was changed of it here; never what others have made of it since. */
async function sendDeletion(
  client: Client,
  current: Project,
  change: Extract<ProjectChange, { kind: "delete-project" }>,
): Promise<SendResult | "overtaken"> {
  if (current.deletedAt !== null) return { kind: "sent", row: { project: current } };
  const seen = seenProject(current);
  const problem = deletionProblem(change.seen, seen, { ...change, seen });
  if (problem !== null) return { kind: "problem", problem };
  const { id, version: expectedVersion } = current;
  const deleted = await unlessOvertaken(client.api.projects.delete.mutate({ id, expectedVersion }));
  if (deleted === "overtaken") return deleted;
  return { kind: "sent", row: { project: { ...current, deletedAt: deleted.data.deletedAt } } };
}

/** A later deletion is one of what the server has made of what was sent, to `former` or as a new project. */
function sentFields(project: Project, former?: ProjectPatch): Extract<SendResult, { kind: "sent" }> {
  return {
    kind: "sent",
    row: { project },
    rebase: (later) => {
      if (later.kind !== "delete-project" || later.seen === undefined) return later;
      const seen = seenProject(project);
      return { ...later, seen: former ? seenAfter(later.seen, former, seen) : seen };
    },
  };
}
