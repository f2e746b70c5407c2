import type { Queryable } from "@workspace/db";
import { InvalidInputError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { selectParty } from "../task-filter/filter-names.queries.ts";
import type { Party } from "./task.schema.ts";

/** Whom a task is meant for, with the name. Throws {@link InvalidInputError} if there is nobody like that. */
export async function knownParty<Nothing extends null | undefined>(
  db: Queryable,
  given: Pick<Party, "kind" | "id"> | Nothing,
  field = "assignee",
): Promise<Party | Nothing> {
  if (!given) return given;
  const party = isUuid(given.id) ? await selectParty(db, given) : null;
  if (party === null) throw InvalidInputError.at(field, "expected a person, an agent, or a key that may change tasks");
  return party;
}
