import type { OpenAPIObject } from "trpc-to-openapi";

/** Adds what asking an agent takes and answers beyond its procedure: the header for repeats, the stream, what a 502 means. */
export function describeAskStream(document: OpenAPIObject): void {
  const operation = document.paths?.["/agents/ask"]?.post;
  const answer: unknown = operation?.responses?.["200"];
  const failure: unknown = operation?.responses?.["502"];
  if (operation === undefined || !isResponse(answer) || !isResponse(failure))
    throw new Error("The generated document lacks agents.ask.");
  operation.parameters = [
    {
      name: "Idempotency-Key",
      in: "header",
      description: "A repeat with the same key and question gets the first answer and is never charged",
      schema: { type: "string", maxLength: 255 },
    },
  ];
  answer.content["text/event-stream"] = {
    schema: {
      type: "string",
      description:
        "With Accept: text/event-stream. Events: text with {delta}, then done with the body of the JSON answer, or error with {status, message}",
    },
  };
  failure.description =
    "The agent came to no answer, for example because the model failed. Why is told to the workspace's owner only, in the agent's runs";
}

function isResponse(value: unknown): value is { description: string; content: Record<string, object> } {
  return typeof value === "object" && value !== null && "content" in value && typeof value.content === "object";
}
