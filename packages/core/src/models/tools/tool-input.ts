import * as z from "zod";
import { InvalidInputError } from "../../platform/errors.ts";
import { describeIssues } from "../../platform/procedures/validation-message.ts";

/** Throws {@link InvalidInputError}, whose message lets the model correct its call. */
export function parseToolInput<Input extends z.ZodObject>(
  schema: Input,
  given: Record<string, unknown>,
): z.output<Input> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues);
  throw new InvalidInputError(issues.map(({ path, message }) => `${path}: ${message}`).join("; "), { issues });
}

/** The JSON schema of a tool's arguments; undefined means that it has none. */
export function toJsonSchema(input: z.ZodType | undefined): Record<string, unknown> {
  if (input === undefined) return { type: "object", properties: {} };
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return schema;
}
