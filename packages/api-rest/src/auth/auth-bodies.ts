import { describeIssues, InvalidInputError, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@workspace/core";
import * as z from "zod";

/** The longest address that mail can be delivered to. */
const MAX_EMAIL_LENGTH = 254;

const storableText = z
  .string()
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "contains characters that cannot be stored");
const name = storableText.trim().min(1, "must not be empty").max(200, "must be at most 200 characters");
const email = storableText
  .max(MAX_EMAIL_LENGTH, `must be at most ${MAX_EMAIL_LENGTH} characters`)
  .pipe(z.email("expected an email address"));
const newPassword = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`);

export const signUpBody = z.object({ name, email, password: newPassword });
/** Anything that could be meant as credentials; what cannot be right is told from what is wrong by nobody. */
export const signInBody = z.object({ email: storableText, password: z.string() });
export const changePasswordBody = z.object({
  currentPassword: z.string().max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`),
  newPassword,
});
export const updateUserBody = z.object({ name });

export type Credentials = z.infer<typeof signInBody>;

/** Stands in for what no account can have, so that it gets the answer of a wrong password after the same work. */
const IMPOSSIBLE_CREDENTIALS: Credentials = { email: "nobody@nowhere.invalid", password: "impossible" };

/** The same credentials where an account may have them; otherwise some that no account has. */
export function toPossibleCredentials(credentials: Credentials): Credentials {
  const isPossible = email.safeParse(credentials.email).success && credentials.password.length <= MAX_PASSWORD_LENGTH;
  return isPossible ? credentials : IMPOSSIBLE_CREDENTIALS;
}

/** Throws {@link InvalidInputError}, naming every field that is wrong. */
export function parseBody<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues);
  throw new InvalidInputError(issues.map((issue) => `${issue.path}: ${issue.message}`).join("; "), { issues });
}
