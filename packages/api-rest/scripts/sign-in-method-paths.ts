import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";

interface Parts {
  readonly signedIn: z.ZodType;
  readonly json: (schema: z.ZodType) => { content: { "application/json": { schema: z.ZodType } } };
  readonly failure: (description: string) => object;
}

const password = z.object({ password: z.string() });
const code = z.object({ code: z.string().min(1).max(64) });
/** As browsers write and read it; WebAuthn defines it. */
const webAuthn = z.looseObject({});

const BUSY = { 503: "The database is not available, or too many people are signing in; see Retry-After" };

/** The routes for signing in with a code or a passkey, and for turning these on and off. */
export function signInMethodPaths(parts: Parts): ZodOpenApiPathsObject {
  return { ...codePaths(parts), ...passkeyPaths(parts) };
}

function createRoutes({ json, failure }: Parts) {
  return (options: {
    readonly operationId: string;
    readonly summary: string;
    readonly isOpen?: boolean;
    readonly body?: z.ZodType;
    readonly result: z.ZodType;
    readonly failures: Readonly<Record<number, string>>;
  }) => ({
    post: {
      operationId: options.operationId,
      summary: options.summary,
      tags: ["Auth"],
      security: options.isOpen === true ? [] : [{ session: [] }],
      ...(options.body !== undefined && { requestBody: json(options.body) }),
      responses: {
        200: { description: "Done", ...json(options.result) },
        400: failure("Bad Request"),
        401: failure(options.isOpen === true ? "It does not sign in, or no longer" : "Not signed in"),
        429: failure("Too many attempts; see Retry-After"),
        ...Object.fromEntries(Object.entries(options.failures).map(([status, why]) => [status, failure(why)])),
      },
    },
  });
}

function codePaths(parts: Parts): ZodOpenApiPathsObject {
  const { signedIn } = parts;
  const route = createRoutes(parts);
  return {
    "/auth/two-factor/enable": route({
      operationId: "auth-prepareCodes",
      summary: "Create a secret for an authenticator app, and recovery codes",
      body: password,
      result: z.object({ method: z.literal("totp"), totpURI: z.string(), backupCodes: z.array(z.string()) }),
      failures: { 409: "Codes are turned on already", ...BUSY },
    }),
    "/auth/two-factor/confirm": route({
      operationId: "auth-turnOnCodes",
      summary: "Turn codes on, by the first one that the app shows; replaces the session cookie",
      body: code,
      result: z.object({ enabled: z.literal(true) }),
      failures: { 409: "No app is set up" },
    }),
    "/auth/two-factor/disable": route({
      operationId: "auth-turnOffCodes",
      summary: "Turn codes off; replaces the session cookie",
      body: password,
      result: z.object({ status: z.literal(true) }),
      failures: BUSY,
    }),
    "/auth/two-factor/generate-backup-codes": route({
      operationId: "auth-replaceRecoveryCodes",
      summary: "Replace the recovery codes",
      body: password,
      result: z.object({ status: z.literal(true), backupCodes: z.array(z.string()) }),
      failures: { 409: "Codes are not turned on", ...BUSY },
    }),
    "/auth/two-factor/verify-totp": route({
      operationId: "auth-signInWithCode",
      summary: "Complete a sign-in with a code of the app",
      isOpen: true,
      body: code,
      result: signedIn,
      failures: {},
    }),
    "/auth/two-factor/verify-backup-code": route({
      operationId: "auth-signInWithRecoveryCode",
      summary: "Complete a sign-in with a recovery code, which works once",
      isOpen: true,
      body: code,
      result: signedIn,
      failures: {},
    }),
  };
}

function passkeyPaths(parts: Parts): ZodOpenApiPathsObject {
  const { signedIn } = parts;
  const route = createRoutes(parts);
  return {
    "/auth/passkey/generate-register-options": route({
      operationId: "auth-beginNewPasskey",
      summary: "Get what a browser needs to create a passkey",
      body: password,
      result: webAuthn,
      failures: { 409: "There are too many passkeys", ...BUSY },
    }),
    "/auth/passkey/verify-registration": route({
      operationId: "auth-addPasskey",
      summary: "Add the passkey that a browser has created",
      body: z.object({ name: z.string().max(100), response: webAuthn }),
      result: z.object({ passkey: z.object({ id: z.string(), name: z.string() }) }),
      failures: { 409: "There are too many passkeys" },
    }),
    "/auth/passkey/delete-passkey": route({
      operationId: "auth-removePasskey",
      summary: "Remove a passkey",
      body: z.object({ id: z.string() }),
      result: z.object({ removed: z.literal(true) }),
      failures: { 404: "There is no such passkey" },
    }),
    "/auth/passkey/generate-authenticate-options": route({
      operationId: "auth-beginPasskeySignIn",
      summary: "Get what a browser needs to sign in with a passkey",
      isOpen: true,
      result: webAuthn,
      failures: {},
    }),
    "/auth/passkey/verify-authentication": route({
      operationId: "auth-signInWithPasskey",
      summary: "Sign in with a passkey",
      isOpen: true,
      body: z.object({ response: webAuthn }),
      result: signedIn,
      failures: {},
    }),
  };
}
