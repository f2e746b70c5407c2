import type { Inputs } from "../../../api/api.ts";

/** A value to set a field to; null removes the field. */
export type FieldInput = NonNullable<Inputs["documents"]["update"]["fields"]>[string];

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

/** A frontmatter value for display: lists are joined with commas, everything else is shown as it is. */
export function formatFrontmatterValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(formatFrontmatterValue).join(", ");
  return JSON.stringify(value);
}

/** The text in which a field can be edited; null if its value does not fit on one line. */
export function toFieldText(value: unknown): string | null {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return value.includes("\n") ? null : value;
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes(","));
  return isList ? value.join(", ") : null;
}

/** The value for what was typed: a list stays a list, and text stays text. */
export function readFieldText(text: string, before: unknown): FieldInput {
  if (Array.isArray(before)) return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
  if (typeof before === "string") return text;
  if (NUMBER.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : text;
}
