import { createEndpoint } from "better-call";

/** A cookie of the authentication library, whose value it has signed. */
export interface SignedCookie {
  readonly name: string;
  /**
   * Reads the value from a `Cookie` header; null if this cookie is missing or its signature is invalid. Does not query the
   * database.
   */
  readValue(cookieHeader: string): Promise<string | null>;
}

/**
 * Reads the cookie with the endpoint library that wrote it (better-call, on which the authentication library is built), so
 * that the format of the signature is known in one place. The endpoint has no path and is called as a function.
 */
export function createSignedCookie(name: string, secret: string): SignedCookie {
  const readSignedCookie = createEndpoint({ method: "GET", requireHeaders: true }, async (context) => {
    const value = await context.getSignedCookie(name, secret);
    // False if the signature does not match.
    return value === false ? null : value;
  });
  return {
    name,
    readValue: (cookieHeader) => readSignedCookie({ headers: new Headers({ cookie: cookieHeader }) }),
  };
}
