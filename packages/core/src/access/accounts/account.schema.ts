import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

const address = z.string().nullable().meta({ description: "The address that it came from" });
const userAgent = z.string().nullable().meta({ description: "As the browser or program named itself" });

export const listSessionsInput = listInput;
export const sessionByIdInput = z.object({ id: z.string() });

export const accountSessionSchema = z
  .object({
    id: z.string(),
    isCurrent: z.boolean().meta({ description: "Whether it makes this request" }),
    address,
    userAgent,
    createdAt: timestamp,
    renewedAt: timestamp.meta({
      description: "When it was last renewed, which happens at most once a day while in use",
    }),
    expiresAt: timestamp,
  })
  .meta({ id: "AccountSession" });
export type AccountSession = z.infer<typeof accountSessionSchema>;

/** What anybody can do who does not know what they need to know to sign in. */
export const FAILED_SIGN_INS = ["wrong_password", "wrong_code", "password_reset_requested"] as const;
export const SIGN_IN_OUTCOMES = [
  "signed_in",
  "signed_in_with_code",
  "signed_in_with_recovery_code",
  "signed_in_with_passkey",
  "signed_in_with_provider",
  "signed_up",
  "signed_up_with_provider",
  "password_changed",
  "password_reset",
  "codes_turned_on",
  "codes_turned_off",
  "recovery_codes_replaced",
  "passkey_added",
  "passkey_removed",
  "provider_linked",
  "provider_unlinked",
  ...FAILED_SIGN_INS,
] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

export const listSignInsInput = listInput;

export const signInSchema = z
  .object({ id: z.string(), outcome: z.enum(SIGN_IN_OUTCOMES), address, userAgent, createdAt: timestamp })
  .meta({ id: "SignIn" });
export type SignIn = z.infer<typeof signInSchema>;

export const passkeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    isSynced: z.boolean().meta({ description: "Whether a password manager keeps it on several devices" }),
    createdAt: timestamp,
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof passkeySchema>;

export const signInMethodsSchema = z
  .object({
    hasPassword: z.boolean(),
    needsCode: z.boolean().meta({ description: "Whether a code is needed with the password" }),
    passkeys: z.array(passkeySchema),
    provider: z
      .object({ name: z.string(), isLinked: z.boolean().meta({ description: "Whether you sign in with it" }) })
      .nullable()
      .meta({ description: "The configured OpenID provider; null if there is none" }),
  })
  .meta({ id: "SignInMethods" });
export type SignInMethods = z.infer<typeof signInMethodsSchema>;

export const listMembersInput = listInput;

export const memberSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    isFirst: z.boolean().meta({ description: "Whether it is the first user, who was not signed up" }),
    createdAt: timestamp,
    lastSignInAt: timestamp.nullable().meta({ description: "Null if it was not within the last 90 days" }),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof memberSchema>;
