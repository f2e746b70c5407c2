import { ForbiddenError, UnauthenticatedError, type ApiKeyPrincipal, type Clock } from "@workspace/core";
import type { Request, Response } from "express";
import { clientAddressOf, isLoopback } from "../auth/client-address.ts";
import type { KeyAuthenticator } from "../auth/key-authenticator.ts";
import { createSecretLookup } from "../auth/secret-lookup.ts";

export interface DavAuthOptions {
  readonly keyAuthenticator: KeyAuthenticator;
  readonly clock: Clock;
  readonly trustsProxy: boolean;
  /** The server's own URL. */
  readonly baseUrl: string;
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Authenticates calendar programs, which know only names and passwords: an API key is the password, and the name is anyone's. Never over a
 * connection on which others could read the key.
 */
export function createDavAuth({ keyAuthenticator, clock, trustsProxy, baseUrl }: DavAuthOptions) {
  const findKey = createSecretLookup(clock, keyAuthenticator.findPrincipal);

  return async (req: Request, res: Response): Promise<ApiKeyPrincipal> => {
    if (!isPrivate(req, { trustsProxy, baseUrl }))
      throw new ForbiddenError("CalDAV is only offered over HTTPS, because the key would be readable on the way.");
    const given = readBasic(req.headers.authorization);
    const principal =
      given === null
        ? await keyAuthenticator.authenticate(req)
        : await findKey({ address: clientAddressOf(req, trustsProxy), account: given.name, secret: given.password });
    if (principal !== null) return principal;
    res.setHeader("WWW-Authenticate", 'Basic realm="Workspace", charset="UTF-8"');
    throw new UnauthenticatedError("Sign in with any name, and an API key as the password.");
  };
}

function readBasic(header: string | undefined): { name: string; password: string } | null {
  const encoded = BASIC.exec(header ?? "")?.[1];
  if (encoded === undefined) return null;
  const decoded = Buffer.from(encoded, "base64").toString();
  const colon = decoded.indexOf(":");
  return colon === -1 ? null : { name: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Whether a request came by HTTPS, as far as a proxy tells, or from this machine. */
function isPrivate(req: Request, { trustsProxy, baseUrl }: Pick<DavAuthOptions, "trustsProxy" | "baseUrl">): boolean {
  const forwarded = req.headers["x-forwarded-proto"];
  if (trustsProxy && typeof forwarded === "string") return forwarded.split(",").at(-1)?.trim() === "https";
  const { protocol, host } = new URL(baseUrl);
  return (protocol === "https:" && req.headers.host === host) || isLoopback(clientAddressOf(req, trustsProxy));
}
