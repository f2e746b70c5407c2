import type { Inputs } from "../../api/trpc.ts";

/** What a field can be set to; null takes it out. */
export type FieldInput = NonNullable<Inputs["documents"]["update"]["fields"]>[string];

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

/** A field of a note's frontmatter in words: lists with commas, everything else as it is written. */
export function wordFrontmatterValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(wordFrontmatterValue).join(", ");
  return JSON.stringify(value);
}

/** The line in which a person can change a field; null for what does not fit into one. */
export function toFieldText(value: unknown): string | null {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.includes("\n") ? null : value;
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes(","));
  return isList ? value.join(", ") : null;
}

/** What a person has written in place of a value: a list stays one, a text stays text. */
export function readFieldText(text: string, before: unknown): FieldInput {
  if (Array.isArray(before)) return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
  if (typeof before === "string") return text;
  if (NUMBER.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : text;
}
