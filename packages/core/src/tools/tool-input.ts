import * as z from "zod";
import { InvalidInputError } from "../platform/errors.ts";
import { describeIssues } from "../platform/validation-message.ts";

/** Throws {@link InvalidInputError}, which the model is told, so that it can mend its call. */
export function parseToolInput<Input extends z.ZodObject>(
  schema: Input,
  given: Record<string, unknown>,
): z.output<Input> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues);
  throw new InvalidInputError(issues.map(({ path, message }) => `${path}: ${message}`).join("; "), { issues });
}

/** What the model is told about the arguments. */
export function toJsonSchema(input: z.ZodObject): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return schema;
}
