import * as z from "zod";

/** What the protocol's library says of a body or a query that its schema refuses: all that is wrong with it, as JSON. */
const issuesSchema = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);

/** Characters that `error_description` must not have (RFC 6749, 5.2). */
const NOT_ALLOWED = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

/** A description of an error for the people who make the program, in a sentence. */
export function describeError(description: string): string {
  const issues = issuesSchema.safeParse(parseJson(description)).data;
  const text = issues?.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") ?? description;
  return text.replaceAll('"', "'").replaceAll(NOT_ALLOWED, " ");
}

/**
 * Completes the URL with which a program is told that its request is refused. The library leaves out the state, by which the program
 * knows what it asked for, if it refuses the parameters, and has no error for a response type that this server does not have.
 */
export function completeErrorUrl(location: string, asked: unknown, issuer: string): string {
  const url = new URL(location);
  const { state, response_type: responseType } = paramsSchema.parse(asked);
  if (responseType !== undefined && responseType !== "code") url.searchParams.set("error", "unsupported_response_type");
  url.searchParams.set("error_description", describeError(url.searchParams.get("error_description") ?? ""));
  if (state !== undefined) url.searchParams.set("state", state);
  url.searchParams.set("iss", issuer);
  return url.href;
}

const param = z.string().optional().catch(undefined);
const paramsSchema = z.object({ state: param, response_type: param }).catch({});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
