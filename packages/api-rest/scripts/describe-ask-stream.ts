import type { OpenAPIObject } from "trpc-to-openapi";

/** Describes what the procedure for asking an agent does not declare: the stream, and a 502. */
export function describeAskStream(document: OpenAPIObject): void {
  const operation = document.paths?.["/agents/ask"]?.post;
  const success: unknown = operation?.responses?.["200"];
  const failure: unknown = operation?.responses?.["502"];
  if (operation === undefined || !isResponse(success) || !isResponse(failure))
    throw new Error("The generated document lacks agents.ask.");
  success.content["text/event-stream"] = {
    schema: {
      type: "string",
      description:
        "With Accept: text/event-stream. Events: text with {delta}, then done with the body of the JSON response, or error with {status, message}",
    },
  };
  failure.description =
    "The agent did not produce an answer, for example because the model failed. Only the workspace's owner sees the reason, in the agent's runs";
}

function isResponse(value: unknown): value is { description: string; content: Record<string, object> } {
  return typeof value === "object" && value !== null && "content" in value && typeof value.content === "object";
}
