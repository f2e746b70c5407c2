import { expect, test } from "vitest";
import { ConfigError, parseConfig } from "./env.ts";

const read = (env: Record<string, string>) => parseConfig(env, "/srv").signInProvider;
const CLIENT = { OIDC_ISSUER: "https://login.example.com/realms/main", OIDC_CLIENT_ID: "workspace" };

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    parseConfig(env, "/srv");
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test("there is no provider by default", () => {
  expect(read({})).toBeNull();
});

test("a provider has the name of its host unless another is given, and may know the service as a public client", () => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = CLIENT;
  const basics = { issuer, clientId, clientSecret: null, name: "login.example.com", domains: [] };
  expect(read(CLIENT)).toEqual(basics);
  const more = { OIDC_NAME: "Acme", OIDC_CLIENT_SECRET: "s", OIDC_DOMAINS: " Example.com,, mail.example.org " };
  expect(read({ ...CLIENT, ...more })).toEqual({
    ...basics,
    name: "Acme",
    clientSecret: "s",
    domains: ["example.com", "mail.example.org"],
  });
});

test.each(["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "https://login.example.com"])(
  "%s may be an issuer",
  (OIDC_ISSUER) => expect(problemsOf({ ...CLIENT, OIDC_ISSUER })).toEqual([]),
);

test.each([
  [{ OIDC_ISSUER: "http://login.example.com" }, "OIDC_ISSUER: must be https, except on this machine"],
  [{ OIDC_ISSUER: "login.example.com" }, "OIDC_ISSUER: expected an https address"],
  [{ OIDC_DOMAINS: "example.com,@example.org" }, "OIDC_DOMAINS: expected domains such as example.com, comma-separated"],
  [{ OIDC_NAME: "n".repeat(41) }, "OIDC_NAME: expected at most 40 characters"],
  [{ OIDC_CLIENT_ID: "" }, "OIDC_ISSUER: requires OIDC_CLIENT_ID"],
  [{ OIDC_ISSUER: "" }, "OIDC_CLIENT_ID: requires OIDC_ISSUER"],
  [{ OIDC_ISSUER: "", OIDC_CLIENT_ID: "", OIDC_DOMAINS: "example.com" }, "OIDC_DOMAINS: requires OIDC_ISSUER"],
])("%j is reported", (env, problem) => {
  expect(problemsOf({ ...CLIENT, ...env })).toEqual([problem]);
});

const MAIL = { SMTP_URL: "smtps://user:p%40ss@mail.example.com", MAIL_FROM: "Workspace <workspace@example.com>" };

test("mail is sent with a server and a sender", () => {
  expect(parseConfig({}, "/srv").mail).toBeNull();
  expect(parseConfig(MAIL, "/srv").mail).toEqual({ url: MAIL.SMTP_URL, from: MAIL.MAIL_FROM });
  expect(problemsOf({ ...MAIL, MAIL_FROM: "workspace@example.com" })).toEqual([]);
});

test.each([
  [{ SMTP_URL: "" }, "MAIL_FROM: requires SMTP_URL"],
  [{ MAIL_FROM: "" }, "SMTP_URL: requires MAIL_FROM"],
  [{ SMTP_URL: "mail.example.com:25" }, "SMTP_URL: expected an address such as smtps://user:password@mail.example.com"],
  [{ MAIL_FROM: "Workspace" }, "MAIL_FROM: expected an email address, or Name <address>"],
  [{ MAIL_FROM: "A <a@example.com>\nBcc: b@example.com" }, "MAIL_FROM: expected an email address, or Name <address>"],
])("%j is reported", (env, problem) => {
  expect(problemsOf({ ...MAIL, ...env })).toEqual([problem]);
});
