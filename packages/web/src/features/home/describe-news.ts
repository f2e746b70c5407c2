import type { NewsItem } from "./news.ts";

const WORDS = [
  ["created", "created"],
  ["changed", "changed"],
  ["commented", "commented on"],
  ["answered", "answered"],
] as const satisfies readonly (readonly [NewsItem["actions"][number], string])[];

/** What was done to it, for example "Changed and commented on", or "Deleted" whatever happened before. */
export function describeNews({ actions, isDeleted, count }: Pick<NewsItem, "actions" | "isDeleted" | "count">): string {
  if (isDeleted) return "Deleted";
  const words = WORDS.filter(([action]) => actions.includes(action)).map(([, word]) => word);
  const [only] = words;
  if (only !== undefined && words.length === 1 && count > 1) return `${capitalized(only)} ${count} times`;
  const last = words.at(-1) ?? "changed";
  return capitalized(words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
