import * as z from "zod";
import { hasReferences, type SecretReferences } from "../../access/secrets/secret-references.ts";
import { ForbiddenError, InvalidInputError } from "../../platform/errors.ts";
import { parseToolInput, toJsonSchema } from "./tool-input.ts";
import type { Tool, ToolScope } from "./toolbox.ts";

const TIMEOUT_MS = 30_000;
/** Responses are truncated at this size. */
const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_BODY_LENGTH = 256 * 1024;

const inputSchema = z.object({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().max(8192)).default({}),
  body: z.string().max(MAX_BODY_LENGTH).optional(),
});
type HttpRequest = z.output<typeof inputSchema>;

export interface HttpRequestToolDeps {
  /** The origins that requests may be sent to. */
  readonly origins: readonly string[];
  readonly secretReferences: SecretReferences;
}

/**
 * A tool that sends requests to explicitly allowed services. `{{secret:NAME}}` in a header value or in the body stands for a
 * secret: it is inserted at the last moment, its use is recorded, and its value is redacted from the response. Redirects are
 * returned and not followed, so that no secret is sent to a service that is not allowed.
 */
export function createHttpRequestTool({ origins, secretReferences }: HttpRequestToolDeps): Tool {
  return {
    name: "http_request",
    description: `Send an HTTP request to one of ${origins.join(", ")}. Write {{secret:NAME}} in a header or the body where a secret belongs; you will not see its value.`,
    allows: `Send requests to ${origins.join(", ")}, with secrets in them that it does not see.`,
    effect: "reaches_outside",
    bringsText: true,
    parameters: toJsonSchema(inputSchema),
    // Keeps agents that were created for other purposes from using credentials.
    isOptIn: true,
    async inspect(given) {
      const { method, url, headers, body } = parseToolInput(inputSchema, given);
      const usesSecrets = hasReferences([body ?? "", ...Object.values(headers)]);
      return { effect: method === "GET" && !usesSecrets ? "reads" : "reaches_outside", subject: `${method} ${url}` };
    },
    async run(given, { origin }) {
      const request = parseToolInput(inputSchema, given);
      requireAllowed(new URL(request.url), origins);
      const names = Object.keys(request.headers);
      const texts = [request.body ?? "", ...Object.values(request.headers)];
      return secretReferences.resolve(texts, actorOf(origin), async ([body = "", ...values]) => {
        const headers = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
        return send({ ...request, headers, ...(request.body !== undefined && { body }) });
      });
    },
  };
}

/** Identifies the caller in the record of what secrets were used for. */
function actorOf(origin: ToolScope["origin"]): string {
  return origin.kind === "agent" ? `agent_run:${origin.runId}` : `conversation:${origin.conversationId}`;
}

function requireAllowed({ origin, username, password }: URL, origins: readonly string[]): void {
  if (!origins.includes(origin)) {
    throw new ForbiddenError(`Requests may only go to ${origins.join(", ")}, not to ${origin}.`);
  }
  if (username !== "" || password !== "") {
    throw InvalidInputError.at(
      "url",
      "must not contain a user or password; send them in an Authorization header, with {{secret:NAME}} for a secret",
    );
  }
}

/** Returns status, type and text of the response. Throws InvalidInputError, which the model sees, if there is none. */
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
    throw new InvalidInputError(`There was no response: ${reasonOf(error)}.`, { cause: error });
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_RESPONSE_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString();
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the request failed";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message;
}
