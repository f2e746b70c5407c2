import { InvalidInputError } from "../../../platform/errors.ts";

/** Parses a JSON array. Throws InvalidInputError at `content` with the message if it is none. */
export function parseArray(text: string, message: string): readonly unknown[] {
  const parsed = parse(text);
  if (Array.isArray(parsed)) return parsed;
  throw InvalidInputError.at("content", message);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
