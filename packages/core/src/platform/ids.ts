import { v7, validate } from "uuid";

/** Makes a new identifier: a UUID version 7, later ones sorting after earlier ones of the same process. */
export type IdGenerator = () => string;

export const uuidV7: IdGenerator = () => v7();

/** Whether a value can be an identifier at all; what is not one names nothing, so look-ups answer "not found". */
export function isUuid(value: string): boolean {
  return validate(value);
}
