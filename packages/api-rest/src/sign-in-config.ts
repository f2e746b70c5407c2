import type { MailSettings, SignInProvider } from "@workspace/core";
import * as z from "zod";
import { isLoopback } from "./auth/client-address.ts";

const domainList = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((domain) => domain.trim().toLowerCase())
      .filter((domain) => domain !== ""),
  )
  .pipe(
    z.array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "expected domains such as example.com, comma-separated")),
  );

/** The variables of signing in by other ways than a password. */
export const signInVariables = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: "expected an https address" })
    .refine(isSafe, "must be https, except on this machine")
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, "expected at most 40 characters").optional(),
  OIDC_DOMAINS: domainList.default([]),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "expected an address such as smtps://user:password@mail.example.com" })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, "expected an email address, or Name <address>")
    .optional(),
};

type SignInVariables = z.output<z.ZodObject<typeof signInVariables>>;

/** Null unless one is configured. */
export function toSignInProvider(env: SignInVariables): SignInProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret = null } = env;
  if (issuer === undefined || clientId === undefined) return null;
  const name = env.OIDC_NAME ?? new URL(issuer).hostname;
  return { issuer, clientId, clientSecret, name, domains: env.OIDC_DOMAINS };
}

/** Null unless mail is configured. */
export function toMailSettings({ SMTP_URL: url, MAIL_FROM: from }: SignInVariables): MailSettings | null {
  return url === undefined || from === undefined ? null : { url, from };
}

/** Variables that do nothing without others. */
export function findSignInConflicts(given: Readonly<Record<string, string | undefined>>): string[] {
  const conflicts: string[] = [];
  const needs = (name: string, other: string): void => {
    if (given[name] !== undefined && given[other] === undefined) conflicts.push(`${name}: requires ${other}`);
  };
  needs("OIDC_ISSUER", "OIDC_CLIENT_ID");
  needs("SMTP_URL", "MAIL_FROM");
  needs("MAIL_FROM", "SMTP_URL");
  for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_NAME", "OIDC_DOMAINS"]) needs(name, "OIDC_ISSUER");
  return conflicts;
}

/** What identifies people must not be read or changed on its way. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || hostname === "localhost" || isLoopback(hostname.replaceAll(/^\[|\]$/g, ""));
}
