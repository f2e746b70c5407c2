import * as z from "zod";
import { ForbiddenError, InvalidInputError } from "../platform/errors.ts";
import { hasReferences, type SecretReferences } from "../secrets/secret-references.ts";
import { parseToolInput, toJsonSchema } from "./tool-input.ts";
import type { Tool } from "./toolbox.ts";

const TIMEOUT_MS = 30_000;
/** More than this of an answer is not read. */
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_BODY_LENGTH = 256 * 1024;

const inputSchema = z.object({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().max(8192)).default({}),
  body: z.string().max(MAX_BODY_LENGTH).optional(),
});
type HttpRequest = z.output<typeof inputSchema>;

export interface HttpRequestToolDeps {
  /** Where requests may go: scheme, host and port. */
  readonly origins: readonly string[];
  readonly secretReferences: SecretReferences;
}

/**
 * A tool that sends a request to one of the services that were allowed by name. `{{secret:NAME}}` in a header's value or in
 * the body stands for a secret: it is put in at the last moment, the use is recorded, and its value is taken out of the answer.
 * Redirects are answered and not followed, so that no secret goes where nobody allowed it.
 */
export function createHttpRequestTool({ origins, secretReferences }: HttpRequestToolDeps): Tool {
  return {
    name: "http_request",
    description: `Send an HTTP request to one of ${origins.join(", ")}. Write {{secret:NAME}} in a header or the body where a secret belongs; you will not see its value.`,
    allows: `Send requests to ${origins.join(", ")}, with secrets in them that it does not see.`,
    effect: "reaches_outside",
    bringsText: true,
    parameters: toJsonSchema(inputSchema),
    // Having to be named keeps an agent that was made for something else from spending somebody's credentials.
    mustBeNamed: true,
    async inspect(given) {
      const { method, url, headers, body } = parseToolInput(inputSchema, given);
      const takesSecrets = hasReferences([body ?? "", ...Object.values(headers)]);
      return { effect: method === "GET" && !takesSecrets ? "reads" : "reaches_outside", subject: `${method} ${url}` };
    },
    async run(given, { actor }) {
      const request = parseToolInput(inputSchema, given);
      requireAllowed(new URL(request.url), origins);
      const names = Object.keys(request.headers);
      const texts = [request.body ?? "", ...Object.values(request.headers)];
      return secretReferences.resolve(texts, actor, async ([body = "", ...values]) => {
        const headers = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
        return send({ ...request, headers, ...(request.body !== undefined && { body }) });
      });
    },
  };
}

function requireAllowed({ origin, username, password }: URL, origins: readonly string[]): void {
  if (!origins.includes(origin)) {
    throw new ForbiddenError(`Requests may go to ${origins.join(", ")} only, not to ${origin}.`);
  }
  if (username !== "" || password !== "") {
    throw InvalidInputError.at(
      "url",
      "must have no user or password in it; send them in an Authorization header, a secret one as {{secret:NAME}}",
    );
  }
}

/** Answers status, type and text. Throws InvalidInputError, which the model is told, where there is no answer. */
async function send({ method, url, headers, body }: HttpRequest): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const location = response.headers.get("location");
    return {
      status: response.status,
      contentType: response.headers.get("content-type"),
      ...(location !== null && { location }),
      body: await readText(response),
    };
  } catch (error) {
    throw new InvalidInputError(`There was no answer: ${reasonOf(error)}.`, { cause: error });
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the connection.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message;
}
