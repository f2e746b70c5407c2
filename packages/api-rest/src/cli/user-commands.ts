import { randomBytes } from "node:crypto";
import {
  createAccountAdministration,
  createAuth,
  systemClock,
  uuidV7,
  type AccountAdministration,
} from "@workspace/core";
import * as z from "zod";
import { openSigningSecret } from "../open-signing-secret.ts";
import { withDatabase } from "./command-database.ts";
import { type Command, type CommandContext, type GivenOptions, textOption, UsageError } from "./command.ts";
import { count } from "./sizes.ts";

const PASSWORD_OPTION = {
  "password-stdin": { description: "read the password from standard input; default: generate one and print it" },
} as const;

async function withAccounts<T>(
  context: CommandContext,
  use: (accounts: AccountAdministration) => Promise<T>,
): Promise<T> {
  const { config, logger } = context;
  return withDatabase(context, async (db) => {
    const deps = { db, clock: systemClock, ids: uuidV7, logger };
    // No session is signed here, so an unused secret is not kept.
    const { text: secret } = await openSigningSecret(config);
    const baseUrl = config.authUrl ?? `http://localhost:${config.port}`;
    const auth = createAuth({
      ...deps,
      secret,
      baseUrl,
      trustedOrigins: [],
      isSignUpOpen: false,
      signInProvider: null,
      sendPasswordReset: null,
    });
    return use(createAccountAdministration({ ...deps, auth }));
  });
}

const list: Command = {
  name: "user list",
  parameters: [],
  summary: "list the users",
  options: {},
  run: (context) =>
    withAccounts(context, async (accounts) => {
      const users = await accounts.listUsers();
      const lines = users.map(
        ({ email, name, lastSignInAt, isFirst }) =>
          `${email}  ${name}${isFirst ? " (first user)" : ""}, last signed in: ${lastSignInAt ?? "not recently"}`,
      );
      return { text: lines.length === 0 ? "There are no users yet." : lines.join("\n"), json: { users } };
    }),
};

const add: Command = {
  name: "user add",
  parameters: ["EMAIL"],
  summary: "add a user",
  options: { name: { value: "NAME", description: "their name; default: the part before the @" }, ...PASSWORD_OPTION },
  async run(context, [given = ""], options) {
    const email = parseEmail(given);
    const { password, isGenerated } = await choosePassword(context, options);
    const name = textOption(options, "name") ?? email.slice(0, email.indexOf("@"));
    await withAccounts(context, (accounts) => accounts.addUser({ email, name, password }));
    return {
      text: [`Added ${email}`, ...(isGenerated ? [`password, shown only once: ${password}`] : [])].join("\n"),
      json: { email, name, ...(isGenerated ? { password } : {}) },
    };
  },
};

const resetPassword: Command = {
  name: "user reset-password",
  parameters: ["EMAIL"],
  summary: "set a new password, and sign the user out everywhere",
  options: PASSWORD_OPTION,
  async run(context, [given = ""], options) {
    const email = readEmail(given);
    const { password, isGenerated } = await choosePassword(context, options);
    const { endedSessions } = await withAccounts(context, (accounts) => accounts.resetPassword(email, password));
    return {
      text: [
        `The password of ${email} is changed; ended ${count(endedSessions, "session")}`,
        ...(isGenerated ? [`password, shown only once: ${password}`] : []),
      ].join("\n"),
      json: { email, endedSessions, ...(isGenerated ? { password } : {}) },
    };
  },
};

const resetSignIn: Command = {
  name: "user reset-sign-in",
  parameters: ["EMAIL"],
  summary:
    "remove a user's authenticator app, passkeys and links to a provider, which leaves the password, and sign them out everywhere",
  options: {},
  async run(context, [given = ""]) {
    const email = readEmail(given);
    const removed = await withAccounts(context, (accounts) => accounts.resetSignIn(email));
    const app = removed.hadCodes ? "removed the authenticator app" : "there was no authenticator app";
    const others = `removed ${count(removed.passkeys, "passkey")} and ${count(removed.providers, "link")} to a provider`;
    return {
      text: `${email} signs in with the password alone: ${app}, ${others}, ended ${count(removed.endedSessions, "session")}`,
      json: { email, ...removed },
    };
  },
};

const sessions: Command = {
  name: "user sessions",
  parameters: ["EMAIL"],
  summary: "list where a user is signed in",
  options: { end: { description: "sign the user out everywhere" } },
  run: (context, [given = ""], options) =>
    withAccounts(context, async (accounts) => {
      const email = readEmail(given);
      const found = await accounts.listSessions(email);
      const ended = options["end"] === true ? await accounts.endSessions(email) : null;
      const lines = found.map(
        ({ createdAt, address, userAgent }) => `${createdAt}  ${address ?? "unknown address"}  ${userAgent ?? ""}`,
      );
      return {
        text: [...lines, ended === null ? count(found.length, "session") : `ended ${count(ended, "session")}`].join(
          "\n",
        ),
        json: { email, sessions: found, ...(ended === null ? {} : { ended }) },
      };
    }),
};

export const USER_COMMANDS: readonly Command[] = [list, add, resetPassword, resetSignIn, sessions];

/** Those who have an address already may have one that nobody could be given today. */
function readEmail(text: string): string {
  if (!text.includes("@")) throw new UsageError(`"${text}" is not an email address`);
  return text;
}

function parseEmail(text: string): string {
  const { data } = z.email().safeParse(text);
  if (data === undefined) throw new UsageError(`"${text}" is not an email address`);
  return data;
}

async function choosePassword(
  { readInput }: CommandContext,
  options: GivenOptions,
): Promise<{ password: string; isGenerated: boolean }> {
  if (options["password-stdin"] === true) {
    return { password: (await readInput()).replace(/\r?\n$/, ""), isGenerated: false };
  }
  return { password: randomBytes(15).toString("base64url"), isGenerated: true };
}
