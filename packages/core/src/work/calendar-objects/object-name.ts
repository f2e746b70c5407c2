import { isUuid } from "../../platform/ids.ts";

const MAX_NAME_LENGTH = 255;
const EXTENSION = ".ics";
// oxlint-disable-next-line no-control-regex -- They are what no name may have.
const NOT_IN_NAMES = /[/\\\u0000-\u001F\u007F]/;

/** Whether the last segment of a URL can be the name of a calendar object. */
export function isObjectName(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    name.length <= MAX_NAME_LENGTH &&
    name.isWellFormed() &&
    !NOT_IN_NAMES.test(name)
  );
}

/** The id of the task that has this name as long as no program has given it another one; null if it is not such a name. */
export function idOfName(name: string): string | null {
  return name.endsWith(EXTENSION) ? idOfUid(name.slice(0, -EXTENSION.length)) : null;
}

/** The same for a UID. */
export function idOfUid(uid: string): string | null {
  return isUuid(uid) && uid === uid.toLowerCase() ? uid : null;
}
