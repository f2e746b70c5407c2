import {
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { RequestError } from "../../api/request-error.ts";
import type { SessionUser } from "../../api/session.ts";
import { addPasskey, beginNewPasskey, beginPasskeySignIn, signInWithPasskey } from "../../api/sign-in-methods.ts";
import type { Client } from "../../client/client.ts";

/** Whether the browser offers passkeys here: only over HTTPS, and on this machine itself. */
export const hasPasskeys = (): boolean => "PublicKeyCredential" in globalThis;

const FAILURES: ReadonlyMap<string, string> = new Map([
  ["ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED", "This device has a passkey of yours already."],
  ["ERROR_INVALID_RP_ID", "Passkeys only work at the URL that the server has as SERVICE_AUTH_URL."],
  ["ERROR_INVALID_DOMAIN", "Passkeys need a host name; they do not work at a numeric address."],
  ["ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT", "This device cannot verify that it is you who uses it."],
  ["ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT", "This device cannot keep passkeys."],
]);
const CANCELLED = "It was cancelled, or took too long.";

/** Signs in with a passkey that the user chooses. Rejects with a {@link RequestError}. */
export async function signInByPasskey(client: Client): Promise<SessionUser | null> {
  const options = await beginPasskeySignIn(client);
  if (!isRequest(options)) throw new Error("The server sent no challenge.");
  const optionsJSON = { ...options, userVerification: "required" } as const;
  return signInWithPasskey(client, await inWords(() => startAuthentication({ optionsJSON })));
}

/** Creates a passkey on a device that the user chooses. Rejects with a {@link RequestError}. */
export async function createPasskey(
  client: Client,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<void> {
  const optionsJSON = await beginNewPasskey(client, password);
  if (!isCreation(optionsJSON)) throw new Error("The server sent no challenge.");
  await addPasskey(client, { name, response: await inWords(() => startRegistration({ optionsJSON })) });
}

async function inWords<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof WebAuthnError ? error.code : "";
    throw new RequestError("refused", FAILURES.get(code) ?? CANCELLED);
  }
}

function isRequest(value: unknown): value is PublicKeyCredentialRequestOptionsJSON {
  return typeof value === "object" && value !== null && "challenge" in value;
}

function isCreation(value: unknown): value is PublicKeyCredentialCreationOptionsJSON {
  return isRequest(value) && "rp" in value && "user" in value && "pubKeyCredParams" in value;
}
