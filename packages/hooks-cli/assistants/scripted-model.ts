import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";

/** A tool that a request offers to the model. */
export interface OfferedTool {
  readonly name: string;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
  /** Codex offers the tools of an MCP server in a namespace. */
  readonly namespace?: string;
}

/** What the model does next: it says something, or calls a tool, perhaps after words in the same response. */
export type ModelStep =
  | { readonly kind: "say"; readonly text: string }
  | {
      readonly kind: "call";
      readonly text?: string;
      readonly tool: OfferedTool;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** A request in the form common to all protocols. */
export interface ModelRequest {
  readonly path: string;
  readonly body: Json;
  readonly tools: readonly OfferedTool[];
  /** How many tools have been called since the last prompt. */
  readonly calledTools: number;
}

/** The tokens that every response is reported to have used; cached tokens are part of the input. */
export interface ModelTokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface ScriptedModel {
  readonly url: string;
  /** The requests for a step of the script, in order; others, such as for a title, are not among them. */
  readonly requests: readonly ModelRequest[];
  /** Decides what the model does; requests that offer no tools are not part of the script. */
  script(next: (request: ModelRequest) => ModelStep | Promise<ModelStep>): void;
  close(): Promise<void>;
}

export const TOKENS: ModelTokens = { input: 1_200, cached: 1_000, output: 30 };

/** Untyped: the assistants' own formats, of which only what is read here is known. */
type Json = any;

interface Protocol {
  readonly tools: (body: Json) => readonly OfferedTool[];
  readonly calledTools: (body: Json) => number;
  readonly respond: (response: ServerResponse, body: Json, step: ModelStep, path: string) => void;
}

/**
 * A model that follows a script, on loopback: it speaks Anthropic's Messages, OpenAI's Responses and Gemini's protocol, so that
 * real assistants can be run without an account.
 */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  let next: (request: ModelRequest) => ModelStep | Promise<ModelStep> = () => ({ kind: "say", text: "Done." });
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400);
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "", "http://localhost").pathname;
    const text = await readText(request);
    const protocol = request.method === "POST" ? protocolOf(path) : undefined;
    if (protocol === undefined) {
      response.writeHead(404, { "Content-Type": "application/json" }).end("{}");
      return;
    }
    const body: Json = JSON.parse(text);
    const tools = protocol.tools(body);
    const asked: ModelRequest = { path, body, tools, calledTools: protocol.calledTools(body) };
    if (tools.length > 0) requests.push(asked);
    protocol.respond(response, body, tools.length > 0 ? await next(asked) : { kind: "say", text: "A title" }, path);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The model has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    script(decide) {
      requests.length = 0;
      next = decide;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function protocolOf(path: string): Protocol | undefined {
  if (path.endsWith("/messages")) return messages;
  if (path.endsWith("/responses")) return responses;
  return /:(?:stream)?generateContent$/i.test(path) ? gemini : undefined;
}

let lastId = 0;
const newId = (prefix: string): string => `${prefix}_scripted${String((lastId += 1)).padStart(6, "0")}`;

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
const parametersOf = (schema: Json): readonly string[] => Object.keys(schema?.properties ?? {});

/** The results of tools after the last thing that the user said. */
function countAfterPrompt(
  items: readonly Json[],
  isPrompt: (item: Json) => boolean,
  isResult: (item: Json) => boolean,
) {
  return items.slice(items.findLastIndex(isPrompt) + 1).filter(isResult).length;
}

const messages: Protocol = {
  tools: (body) => listOf(body.tools).map((tool) => ({ name: tool.name, parameters: parametersOf(tool.input_schema) })),
  calledTools(body) {
    const blocks = listOf(body.messages).flatMap(({ role, content }) =>
      typeof content === "string" ? [{ role, type: "text" }] : listOf(content).map((block) => ({ ...block, role })),
    );
    return blocks.filter(({ type }) => type === "tool_result").length;
  },
  respond(response, body, step) {
    const usage = {
      input_tokens: TOKENS.input - TOKENS.cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: TOKENS.cached,
      output_tokens: TOKENS.output,
    };
    const message = { id: newId("msg"), type: "message", role: "assistant", model: body.model, stop_sequence: null };
    const blocks: readonly Json[] = [
      ...(step.text === undefined ? [] : [{ type: "text", text: step.text }]),
      ...(step.kind === "call"
        ? [{ type: "tool_use", id: newId("toolu"), name: step.tool.name, input: step.input }]
        : []),
    ];
    const stopReason = step.kind === "say" ? "end_turn" : "tool_use";
    if (body.stream !== true)
      return sendJson(response, { ...message, content: blocks, stop_reason: stopReason, usage });
    sendEvents(response, [
      {
        type: "message_start",
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      },
      ...blocks.flatMap(streamedBlock),
      { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  },
};

function streamedBlock(block: Json, index: number): readonly Json[] {
  const isText = block.type === "text";
  const delta = isText
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  return [
    { type: "content_block_start", index, content_block: isText ? { ...block, text: "" } : { ...block, input: {} } },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ];
}

const responses: Protocol = {
  tools: (body) =>
    listOf(body.tools).flatMap((tool) =>
      tool.type === "namespace"
        ? listOf(tool.tools).map((inner) => ({
            name: inner.name,
            parameters: parametersOf(inner.parameters),
            namespace: tool.name,
          }))
        : [{ name: tool.name ?? tool.type, parameters: parametersOf(tool.parameters) }],
    ),
  calledTools: (body) =>
    countAfterPrompt(
      listOf(body.input),
      (item) => item.role === "user",
      (item) => item.type === "function_call_output" || item.type === "custom_tool_call_output",
    ),
  respond(response, body, step) {
    const id = newId("resp");
    const output: readonly Json[] = [
      ...(step.text === undefined
        ? []
        : [
            {
              type: "message",
              id: newId("msg"),
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: step.text, annotations: [] }],
            },
          ]),
      ...(step.kind === "call"
        ? [
            {
              type: "function_call",
              id: newId("fc"),
              call_id: newId("call"),
              name: step.tool.name,
              ...(step.tool.namespace !== undefined && { namespace: step.tool.namespace }),
              arguments: JSON.stringify(step.input),
              status: "completed",
            },
          ]
        : []),
    ];
    const usage = {
      input_tokens: TOKENS.input,
      input_tokens_details: { cached_tokens: TOKENS.cached },
      output_tokens: TOKENS.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: TOKENS.input + TOKENS.output,
    };
    const whole = {
      id,
      object: "response",
      created_at: 0,
      model: body.model,
      status: "completed",
      output,
      usage,
    };
    if (body.stream !== true) return sendJson(response, whole);
    sendEvents(response, [
      { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
      ...output.flatMap((item, index) => [
        { type: "response.output_item.added", output_index: index, item },
        { type: "response.output_item.done", output_index: index, item },
      ]),
      { type: "response.completed", response: whole },
    ]);
  },
};

const gemini: Protocol = {
  tools: (body) =>
    listOf(body.tools).flatMap((tool) =>
      listOf(tool.functionDeclarations).map((declaration) => ({
        name: declaration.name,
        parameters: parametersOf(declaration.parametersJsonSchema ?? declaration.parameters),
      })),
    ),
  calledTools(body) {
    const parts = listOf(body.contents).flatMap(({ role, parts: own }) => listOf(own).map((part) => ({ role, part })));
    return countAfterPrompt(
      parts,
      ({ role, part }) => role === "user" && part.text !== undefined,
      ({ part }) => part.functionResponse !== undefined,
    );
  },
  respond(response, _body, step, path) {
    const parts: readonly Json[] = [
      ...(step.text === undefined ? [] : [{ text: step.text }]),
      ...(step.kind === "call"
        ? [{ functionCall: { name: step.tool.name, args: step.input }, thoughtSignature: "c2NyaXB0ZWQ=" }]
        : []),
    ];
    const whole = {
      candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts } }],
      usageMetadata: {
        promptTokenCount: TOKENS.input,
        cachedContentTokenCount: TOKENS.cached,
        candidatesTokenCount: TOKENS.output,
        totalTokenCount: TOKENS.input + TOKENS.output,
      },
      responseId: newId("resp"),
    };
    if (path.includes(":stream")) sendEvents(response, [whole]);
    else sendJson(response, whole);
  },
};

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: readonly Json[]): void {
  response.writeHead(200, { "Content-Type": "text/event-stream", "request-id": newId("req") });
  for (const event of events)
    response.write(`${event.type === undefined ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) if (part instanceof Buffer) parts.push(part);
  return Buffer.concat(parts).toString();
}
