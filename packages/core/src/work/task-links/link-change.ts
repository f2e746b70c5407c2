import type { PoolClient } from "@workspace/db";
import { InvalidInputError } from "../../platform/errors.ts";
import { isUuid, type IdGenerator } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { changeOfTasks } from "../task-queue/task-blocks.service.ts";
import { selectKnownTasks } from "../task-queue/task-queue.queries.ts";
import type { FieldChange, NewTaskChange } from "../tasks/task-change.ts";
import {
  changeLinks,
  changeRelations,
  changeSessions,
  MAX_LINKS,
  selectLinks,
  selectRelated,
  selectTargets,
  selectTasksOfSession,
} from "./task-links.queries.ts";

/** What is added and removed of one kind. */
export interface Ids {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface LinkContext {
  readonly ids: IdGenerator;
  readonly author: Author;
  readonly now: Date;
  /** The change that is undone. */
  readonly undoesId?: string;
}

export const hasAny = ({ add, remove }: Ids): boolean => add.length + remove.length > 0;

/** Adds and removes what concerns a task. Throws {@link InvalidInputError} for what is no other active task, and for too many. */
export async function relate(client: PoolClient, id: string, links: Ids, context: LinkContext): Promise<void> {
  const known = await selectKnownTasks(client, links.add.filter(isUuid));
  const unknown = links.add.find((other) => other === id || !known.some((task) => task.id === other));
  if (unknown !== undefined) throw InvalidInputError.at("add", `${unknown} is not the id of another active task`);
  const before = await selectRelated(client, id);
  const remove = links.remove.filter(isUuid);
  const after = merged(before, known, remove);
  if (after.length > MAX_LINKS) throw InvalidInputError.at("add", `a task relates to at most ${MAX_LINKS} others`);
  const change = toChange(changeOfTasks("relatesTo", before, after), context);
  await changeRelations(client, { id, add: links.add, remove }, change);
}

/** Adds and removes links to notes and conversations. Throws {@link InvalidInputError} for what does not exist, and for too many. */
export async function refer(
  client: PoolClient,
  id: string,
  { notes, conversations }: { readonly notes: Ids; readonly conversations: Ids },
  context: LinkContext,
): Promise<void> {
  const targets = await selectTargets(client, {
    notes: notes.add.filter(isUuid),
    conversations: conversations.add.filter(isUuid),
  });
  const unknown = [...notes.add, ...conversations.add].find((target) => !targets.some((known) => known.id === target));
  if (unknown !== undefined)
    throw InvalidInputError.at("add", `there is no note or conversation with the id ${unknown}`);
  const before = (await selectLinks(client, id)).filter(({ isSet }) => isSet);
  const remove = [...notes.remove, ...conversations.remove].filter(isUuid);
  const after = merged(before, targets, remove);
  if (after.length > MAX_LINKS) throw InvalidInputError.at("add", `a task has at most ${MAX_LINKS} links`);
  const change = toChange(changeOfTasks("links", before, after), context);
  await changeLinks(client, { id, add: targets, remove, at: context.now }, change);
}

/** Connects sessions with a task. They are not part of its history, to which they connect themselves. */
export async function attend(client: PoolClient, id: string, { add, remove }: Ids, now: Date): Promise<void> {
  const added = await changeSessions(client, { id, add, remove, at: now });
  if (added === add.length) return;
  for (const sessionId of add) {
    const tasks = await selectTasksOfSession(client, sessionId);
    if (!tasks.some((task) => task.id === id)) throw InvalidInputError.at("add", `there is no session ${sessionId}`);
  }
}

function merged<Linked extends { readonly id: string }>(
  before: readonly Linked[],
  added: readonly Linked[],
  removed: readonly string[],
): Linked[] {
  const kept = before.filter(({ id }) => !removed.includes(id));
  return [...kept, ...added.filter(({ id }) => !kept.some((other) => other.id === id))];
}

function toChange(change: FieldChange | null, { ids, author, now, undoesId }: LinkContext): NewTaskChange | null {
  const mark = { id: ids(), author, createdAt: now, ...(undoesId !== undefined && { undoesId }) };
  return change && { ...mark, changes: [change] };
}
