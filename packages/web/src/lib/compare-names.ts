import { lazily } from "./lazily.ts";

/** Creating an order takes milliseconds, so this one is created when it is first used. */
const collator = lazily(() => new Intl.Collator("en", { sensitivity: "base", numeric: true }));

/** Orders names as people do: without regard to case and accents, and numbers by their value. */
export function compareNames(a: string, b: string): number {
  return collator().compare(a, b);
}
