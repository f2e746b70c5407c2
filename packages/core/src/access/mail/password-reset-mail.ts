import type { Mail } from "./mailer.ts";

export interface PasswordReset {
  readonly email: string;
  /** Whoever has it may set a new password. */
  readonly token: string;
}

/**
 * The mail with which somebody sets a new password. The token is behind the `#` of its URL, which browsers keep to themselves, so
 * that it is in no log and in no `Referer`.
 */
export function writePasswordResetMail({ email, token }: PasswordReset, baseUrl: string): Mail {
  return {
    to: email,
    subject: "Set a new password for Workspace",
    text: [
      `Somebody, probably you, has asked for a new password for ${email} at ${baseUrl}.`,
      `To set one, open this link within an hour. It works once.`,
      `${baseUrl}/reset-password#${token}`,
      `If it was not you, do nothing: your password stays as it is.`,
      "",
    ].join("\n\n"),
  };
}
