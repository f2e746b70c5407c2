import { BACKUP_PROBLEMS, EMBEDDING_PROBLEMS } from "@workspace/core";
import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { signInMethodPaths } from "./sign-in-method-paths.ts";

const signedIn = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  session: z.object({ id: z.string(), userId: z.string(), expiresAt: z.iso.datetime() }),
});
const codeNeeded = z.object({ twoFactorRedirect: z.literal(true), twoFactorMethods: z.array(z.string()) });
const health = z.object({
  data: z.object({
    status: z.enum(["ok", "degraded"]),
    version: z.string(),
    timestamp: z.iso.datetime(),
    database: z.object({
      configured: z.boolean(),
      deployment: z.enum(["embedded", "external"]),
      available: z.boolean(),
      latencyMs: z.number().nullable(),
      problem: z
        .enum(["disk full", "read-only"])
        .nullable()
        .meta({ description: "Why the database refuses writes; null if it accepts them" }),
    }),
    vault: z.object({
      available: z.boolean(),
      historyAvailable: z
        .boolean()
        .meta({ description: "Whether this process can use the trash and earlier versions" }),
      historyProblem: z.string().nullable().meta({ description: "Why it cannot, as a sentence; null if it can" }),
    }),
    mirror: z.object({ leader: z.boolean(), lastLookAgeMs: z.number().nullable() }),
    scheduler: z.object({ running: z.boolean() }),
    embeddings: z.object({
      configured: z.boolean(),
      problem: z
        .enum(EMBEDDING_PROBLEMS)
        .nullable()
        .meta({ description: "Why memories are searched by their words only; null if that is not so or intended" }),
    }),
    backups: z.object({
      problem: z
        .enum(BACKUP_PROBLEMS)
        .nullable()
        .meta({ description: "What failed last time with scheduled backups; null if nothing did" }),
    }),
  }),
});

const liveness = z.object({ data: z.object({ status: z.literal("ok") }) });
const readiness = z.object({
  data: z.object({
    status: z.enum(["ready", "unavailable", "stopping"]),
    missing: z.array(z.enum(["database", "vault"])),
  }),
});

/** For routes outside `/api`. */
const AT_ROOT = [{ url: "/" }];

const json = (schema: z.ZodType) => ({ content: { "application/json": { schema } } });
const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

/** The routes that are not procedures: sign-in, sign-out and health. */
export const authAndHealthPaths: ZodOpenApiPathsObject = {
  "/health": {
    get: {
      operationId: "health",
      summary: "Get the health of the service",
      tags: ["Health"],
      security: [],
      responses: {
        200: { description: "The database is available", ...json(health) },
        503: { description: "The database is unavailable", ...json(health) },
      },
    },
  },
  "/livez": {
    get: {
      operationId: "livez",
      summary: "Check that the process responds",
      tags: ["Health"],
      servers: AT_ROOT,
      security: [],
      responses: { 200: { description: "It responds", ...json(liveness) }, 400: failure("Bad Request") },
    },
  },
  "/readyz": {
    get: {
      operationId: "readyz",
      summary: "Check whether requests can be served",
      tags: ["Health"],
      servers: AT_ROOT,
      security: [],
      responses: {
        200: { description: "They can", ...json(readiness) },
        400: failure("Bad Request"),
        503: {
          description: "They cannot: the process is stopping, or parts are unavailable, which `missing` lists",
          ...json(readiness),
        },
      },
    },
  },
  "/auth/sign-up/email": {
    post: {
      operationId: "auth-signUp",
      summary: "Create a user and sign in",
      tags: ["Auth"],
      security: [],
      requestBody: json(z.object({ name: z.string(), email: z.email(), password: z.string().min(8) })),
      responses: {
        200: { description: "Signed in; sets the session cookie", ...json(signedIn) },
        400: failure("Bad Request"),
        403: failure("Sign-up is closed"),
        422: failure("The email is taken"),
        429: failure("Too many attempts; see Retry-After"),
        503: failure("The database is not available, or too many people are signing in; see Retry-After"),
      },
    },
  },
  "/auth/sign-in/email": {
    post: {
      operationId: "auth-signIn",
      summary: "Sign in",
      tags: ["Auth"],
      security: [],
      requestBody: json(z.object({ email: z.string(), password: z.string() })),
      responses: {
        200: {
          description:
            "Signed in; sets the session cookie. For a user who has turned on codes, only that a code is needed, with a cookie " +
            "for the second step, `/auth/two-factor/verify-totp`",
          ...json(z.union([signedIn, codeNeeded])),
        },
        400: failure("Bad Request"),
        401: failure("The email or the password is wrong"),
        429: failure("Too many attempts; see Retry-After"),
        503: failure("The database is not available, or too many people are signing in; see Retry-After"),
      },
    },
  },
  "/auth/sign-out": {
    post: {
      operationId: "auth-signOut",
      summary: "Sign out",
      tags: ["Auth"],
      security: [{ session: [] }],
      responses: {
        200: { description: "Signed out; clears the cookie", ...json(z.object({ success: z.literal(true) })) },
        400: failure("Bad Request"),
      },
    },
  },
  "/auth/change-password": {
    post: {
      operationId: "auth-changePassword",
      summary: "Change the password and end all other sessions",
      tags: ["Auth"],
      security: [{ session: [] }],
      requestBody: json(z.object({ currentPassword: z.string(), newPassword: z.string().min(8) })),
      responses: {
        200: { description: "Changed; sets the cookie of a new session", ...json(signedIn) },
        400: failure("Bad Request, or the current password is wrong"),
        401: failure("Not signed in"),
        429: failure("Too many attempts; see Retry-After"),
        503: failure("The database is not available, or too many people are signing in; see Retry-After"),
      },
    },
  },
  ...signInMethodPaths({ signedIn, json, failure }),
  "/auth/update-user": {
    post: {
      operationId: "auth-updateUser",
      summary: "Change the name of the signed-in user",
      tags: ["Auth"],
      security: [{ session: [] }],
      requestBody: json(z.object({ name: z.string().max(200) })),
      responses: {
        200: { description: "Changed", ...json(signedIn) },
        400: failure("Bad Request"),
        401: failure("Not signed in"),
      },
    },
  },
  "/auth/get-session": {
    get: {
      operationId: "auth-getSession",
      summary: "Get the signed-in user and the session",
      tags: ["Auth"],
      security: [],
      responses: {
        200: { description: "The user and session, or null", ...json(signedIn.nullable()) },
        400: failure("Bad Request"),
      },
    },
  },
};
