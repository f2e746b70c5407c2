import { MAX_NEXT_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, toInvalidInput } from "@workspace/core";
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
export const passwordResetRequestBody = z.object({ email });
export const passwordResetBody = z.object({
  token: z.string().regex(/^[A-Za-z0-9]{1,64}$/, "is not valid, or no longer"),
  newPassword,
});
export const updateUserBody = z.object({ name });
/** The password of somebody who is signed in, for what a session alone must not change. */
export const passwordBody = z.object({ password: z.string().max(MAX_PASSWORD_LENGTH, "is not your password") });
export const codeBody = z.object({
  code: z.string().min(1, "must not be empty").max(64, "must be at most 64 characters"),
});

/**
 * Where somebody continues after signing in elsewhere: a path of the dashboard. Long enough for the page on which a program asks for
 * access, and short enough for the cookie that carries it.
 */
export const providerSignInBody = z.object({
  next: z
    .string()
    .refine(isOwnPath, "expected a path")
    .refine(
      (path) => encodeURIComponent(path).length <= MAX_NEXT_LENGTH,
      `must be at most ${MAX_NEXT_LENGTH.toLocaleString("en")} characters, encoded`,
    )
    .default("/"),
  /** Whether to sign in at the provider again, perhaps as somebody else, for whoever was refused. */
  isAgain: z.boolean().default(false),
});

/** Whether browsers, which take `\\` for `/` and leave out line breaks, stay on this site with it. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(path);
}

/** Binary data in base64url; the longest is an attestation with its certificates. */
const binary = z
  .string()
  .max(16_384, "must be at most 16384 characters")
  .regex(/^[A-Za-z0-9_-]*$/, "expected base64url");
const credential = { id: binary, rawId: binary, type: z.literal("public-key"), clientExtensionResults: z.object({}) };

/** What a browser returns for a new passkey. */
export const newPasskeyBody = z.object({
  name: name.max(100, "must be at most 100 characters"),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: binary,
      attestationObject: binary,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/, "expected the name of a transport"))
        .max(10)
        .optional(),
    }),
  }),
});
export const passkeyByIdBody = z.object({ id: z.string() });
/** What a browser returns for a passkey that signs in. */
export const passkeySignInBody = z.object({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: binary,
      authenticatorData: binary,
      signature: binary,
      userHandle: binary.optional(),
    }),
  }),
});

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
