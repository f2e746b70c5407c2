import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, toInvalidInput } from "@workspace/core";
import * as z from "zod";

/** The longest address to which mail can be delivered. */
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
/** Accepts anything that could be meant as credentials, so that impossible ones are indistinguishable from wrong ones. */
export const signInBody = z.object({ email: storableText, password: z.string() });
export const changePasswordBody = z.object({
  currentPassword: z.string().max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`),
  newPassword,
});
export const updateUserBody = z.object({ name });

export type Credentials = z.infer<typeof signInBody>;

/** Replaces credentials that no account can have, so that they get the response of a wrong password after the same work. */
const IMPOSSIBLE_CREDENTIALS: Credentials = { email: "nobody@nowhere.invalid", password: "impossible" };

/** The same credentials if an account can have them; otherwise some that no account has. */
export function toPossibleCredentials(credentials: Credentials): Credentials {
  const isPossible = email.safeParse(credentials.email).success && credentials.password.length <= MAX_PASSWORD_LENGTH;
  return isPossible ? credentials : IMPOSSIBLE_CREDENTIALS;
}

/** Throws InvalidInputError, which lists all invalid fields. */
export function parseBody<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body ?? {});
  if (!parsed.success) throw toInvalidInput(parsed.error);
  return parsed.data;
}
