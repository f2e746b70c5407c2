import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";

export interface PasskeyPluginOptions {
  /** The public address, whose host name passkeys are bound to. */
  readonly baseUrl: string;
  /** The origins from which pages may use them. */
  readonly origins: readonly string[];
  /** The name of the cookie that carries a challenge. */
  readonly cookie: string;
}

/**
 * Passkeys take the place of a password and a code, so the device must have verified who uses it: by a PIN, a fingerprint or a face.
 * Browsers are asked for that by the page; what they answered is checked here.
 */
export function createPasskeyPlugin({ baseUrl, origins, cookie }: PasskeyPluginOptions) {
  return passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: "Workspace",
    origin: [...origins],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    advanced: { webAuthnChallengeCookie: cookie },
    registration: {
      afterVerification: ({ verification }) => assertVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => assertVerified(verification.authenticationInfo.userVerified),
    },
  });
}

function assertVerified(isVerified: boolean | undefined): void {
  if (isVerified !== true) throw new APIError("UNAUTHORIZED", { message: "The device has not verified who uses it." });
}
