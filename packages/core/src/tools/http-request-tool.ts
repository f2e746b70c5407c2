import * as z from "zod";
import { ForbiddenError, InvalidInputError } from "../platform/errors.ts";
import type { SecretReferences } from "../secrets/secret-references.ts";
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
    parameters: toJsonSchema(inputSchema),
    // Having to be named keeps an agent that was made for something else from spending somebody's credentials.
    mustBeNamed: true,
    async run(given, { actor }) {
      const request = parseToolInput(inputSchema, given);
      const { origin } = new URL(request.url);
      if (!origins.includes(origin)) {
        throw new ForbiddenError(`Requests may go to ${origins.join(", ")} only, not to ${origin}.`);
      }
      const names = Object.keys(request.headers);
      const texts = [request.body ?? "", ...Object.values(request.headers)];
      const answer = await resolveAll(texts, actor, async ([body = "", ...values]) => {
        const headers = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
        return send({ ...request, headers, ...(request.body !== undefined && { body }) });
      });
      return JSON.parse(answer);
    },
  };

  /** Puts the secrets into several texts at once. */
  function resolveAll(
    texts: readonly string[],
    actor: string,
    use: (resolved: readonly string[]) => Promise<string>,
    resolvedBefore: readonly string[] = [],
  ): Promise<string> {
    const [text, ...rest] = texts;
    if (text === undefined) return use(resolvedBefore);
    return secretReferences.resolve(text, actor, (resolved) =>
      resolveAll(rest, actor, use, [...resolvedBefore, resolved]),
    );
  }
}

/** Answers status, type and text. Throws InvalidInputError, which the model is told, where there is no answer. */
async function send({ method, url, headers, body }: HttpRequest): Promise<string> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = {
      status: response.status,
      contentType: response.headers.get("content-type"),
      location: response.headers.get("location") ?? undefined,
      body: await readText(response),
    };
    return JSON.stringify(answer);
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
