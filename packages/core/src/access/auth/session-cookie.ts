import { createEndpoint } from "better-call";

/** The cookie in which a browser carries its session. */
export interface SessionCookie {
  readonly name: string;
  /**
   * Reads the session token from a `Cookie` header; null if this cookie is missing or its signature is invalid. Does not query
   * the database.
   */
  readToken(cookieHeader: string): Promise<string | null>;
}

/**
 * Reads the cookie with the endpoint library that wrote it (better-call, on which the authentication library is built), so
 * that the format of the signature is known in one place. The endpoint has no path and is called as a function.
 */
export function createSessionCookie(name: string, secret: string): SessionCookie {
  const readSignedCookie = createEndpoint({ method: "GET", requireHeaders: true }, async (context) => {
    const value = await context.getSignedCookie(name, secret);
    // False if the signature does not match.
    return value === false ? null : value;
  });
  return {
    name,
    readToken: (cookieHeader) => readSignedCookie({ headers: new Headers({ cookie: cookieHeader }) }),
  };
}
