import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { TokenUsage } from "../src/models/usage/token-price.ts";
import { toHashedNgrams } from "./hashed-ngrams.ts";

/** How the double misbehaves, before or during an answer. */
export type ModelFault =
  | { readonly kind: "status"; readonly status: number; readonly retryAfterS?: number }
  /** Never answers, or stops answering, and keeps the connection open. */
  | { readonly kind: "hang"; readonly afterChunks?: number }
  | { readonly kind: "disconnect"; readonly afterChunks?: number }
  | { readonly kind: "malformed"; readonly afterChunks?: number }
  /** Sends far more than an answer, without an end of line. */
  | { readonly kind: "flood"; readonly afterChunks?: number };

/** An answer of the double. */
export interface ModelReply {
  /** Sent as one chunk per piece. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object | string }[];
  /** The reported usage; null reports none. */
  readonly usage?: TokenUsage | null;
  readonly delayMs?: number;
  /** Nothing is sent until this settles. */
  readonly after?: Promise<unknown>;
  readonly fault?: ModelFault;
}

const contentPart = z.object({ text: z.string().optional(), image_url: z.object({ url: z.string() }).optional() });

const bodySchema = z.object({
  model: z.string(),
  stream: z.literal(true),
  stream_options: z.object({ include_usage: z.literal(true) }),
  max_completion_tokens: z.number(),
  messages: z.array(
    z
      .looseObject({ role: z.string(), content: z.union([z.string(), z.array(contentPart)]) })
      .transform(({ content, ...message }) => ({
        ...message,
        content: typeof content === "string" ? content : content.map((part) => part.text ?? "").join(""),
        /** The URLs of the images in it. */
        ...(typeof content === "string" ? {} : { images: content.flatMap((part) => part.image_url?.url ?? []) }),
      })),
  ),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});
export type ModelDoubleRequest = z.infer<typeof bodySchema>;

const embeddingBodySchema = z.object({
  model: z.string(),
  input: z.array(z.string().min(1)).nonempty(),
  dimensions: z.number().optional(),
  encoding_format: z.literal("float"),
});
export type EmbeddingDoubleRequest = z.infer<typeof embeddingBodySchema>;

/** How the double responds to a request for vectors: by default with those of hashed n-grams. */
export interface EmbeddingReply {
  /** In place of the length that the request asks for. */
  readonly dimensions?: number;
  readonly delayMs?: number;
  readonly fault?: ModelFault;
}

/** The length of the double's vectors unless a request asks for another one. */
const DEFAULT_DIMENSIONS = 1_024;
const CHARACTERS_PER_TOKEN = 4;

export interface ModelDouble {
  /** The value for OPENAI_BASE_URL. */
  readonly baseUrl: string;
  /** The requests received, in order. */
  readonly requests: readonly ModelDoubleRequest[];
  /** The key of each request of any kind, in order; null if it had none. */
  readonly apiKeys: readonly (string | null)[];
  /** The number of connections closed by the caller before the answer was complete. */
  readonly abortedCount: number;
  /** Sets the replies to the next requests, one each; after that, the default reply is used again. */
  reply(...replies: readonly ModelReply[]): void;
  /** Sets the default reply, which is initially "Hello.". */
  replyAlways(reply: ModelReply | ((request: ModelDoubleRequest) => ModelReply)): void;
  /** The requests for vectors received, in order. */
  readonly embeddingRequests: readonly EmbeddingDoubleRequest[];
  /** Decides how to respond to requests for vectors. */
  replyToEmbeddings(reply: (request: EmbeddingDoubleRequest) => EmbeddingReply): void;
  close(): Promise<void>;
}

const FLOOD_BYTES = 64 * 1024 * 1024;
/** Destroying a connection discards what was just written; waiting this long lets it arrive. */
const DELIVERY_MS = 30;

/** The models that it lists. It answers for any other one, too. */
const MODELS = ["gpt-5-nano", "gpt-5-mini", "double-vectors-1"];

const DEFAULT_USAGE: TokenUsage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 20 };

/**
 * A fake model: an OpenAI-compatible server over real HTTP that streams scripted replies, gives texts vectors of hashed n-grams,
 * and fails on demand.
 */
export async function startModelDouble(): Promise<ModelDouble> {
  const requests: ModelDoubleRequest[] = [];
  const apiKeys: (string | null)[] = [];
  const queue: ModelReply[] = [];
  let defaultReply: (request: ModelDoubleRequest) => ModelReply = () => ({ text: "Hello." });
  const embeddingRequests: EmbeddingDoubleRequest[] = [];
  let embeddingReply: (request: EmbeddingDoubleRequest) => EmbeddingReply = () => ({});
  let abortedCount = 0;

  const server = createServer((req, res) => {
    apiKeys.push(/^Bearer (.*)$/.exec(req.headers.authorization ?? "")?.[1] ?? null);
    const respond = req.url === "/v1/models" ? list : req.url === "/v1/embeddings" ? embed : answer;
    void respond(req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else
        res
          .writeHead(400, { "Content-Type": "application/json" })
          .end(JSON.stringify({ error: { message: String(error) } }));
    });
  });

  async function list(_req: IncomingMessage, res: ServerResponse): Promise<void> {
    const data = MODELS.map((id) => ({ id, object: "model", created: 1, owned_by: "double" }));
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ object: "list", data }));
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = bodySchema.parse(JSON.parse(await readText(req)));
    requests.push(request);
    const reply = queue.shift() ?? defaultReply(request);
    countIfAborted(res, reply.fault);
    await sendReply(res, reply, request.model);
  }

  async function embed(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = embeddingBodySchema.parse(JSON.parse(await readText(req)));
    embeddingRequests.push(request);
    const reply = embeddingReply(request);
    countIfAborted(res, reply.fault);
    await sendEmbeddings(res, request, reply);
  }

  function countIfAborted(res: ServerResponse, fault: ModelFault | undefined): void {
    res.on("close", () => {
      if (!res.writableEnded && fault?.kind !== "disconnect") abortedCount += 1;
    });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The double has no port.");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    apiKeys,
    get abortedCount() {
      return abortedCount;
    },
    reply: (...replies) => void queue.push(...replies),
    replyAlways(reply) {
      defaultReply = typeof reply === "function" ? reply : () => reply;
    },
    embeddingRequests,
    replyToEmbeddings(reply) {
      embeddingReply = reply;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function sendReply(res: ServerResponse, reply: ModelReply, model: string): Promise<void> {
  const { fault, delayMs = 0 } = reply;
  await reply.after;
  if (fault?.kind === "status") return sendStatus(res, fault);
  const chunks = toChunks(reply).map((chunk) => ({
    id: "chatcmpl-double",
    object: "chat.completion.chunk",
    model,
    ...chunk,
  }));
  let sent = 0;
  for (const chunk of chunks) {
    if (fault !== undefined && sent >= (fault.afterChunks ?? 0)) {
      if (sent > 0) await sleep(DELIVERY_MS);
      await misbehave(res, fault.kind);
      return;
    }
    if (!res.headersSent) res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.write(`data: ${JSON.stringify(chunk)}\n\n`);
    sent += 1;
    if (delayMs > 0) await sleep(delayMs);
    if (res.destroyed) return;
  }
  res.end("data: [DONE]\n\n");
}

function sendStatus(res: ServerResponse, { status, retryAfterS }: Extract<ModelFault, { kind: "status" }>): void {
  const retryAfter = retryAfterS === undefined ? {} : { "Retry-After": String(retryAfterS) };
  res.writeHead(status, { "Content-Type": "application/json", ...retryAfter });
  res.end(JSON.stringify({ error: { message: `A failure with status ${status}, as scripted.` } }));
}

async function sendEmbeddings(
  res: ServerResponse,
  { model, input, dimensions = DEFAULT_DIMENSIONS }: EmbeddingDoubleRequest,
  { fault, delayMs = 0, dimensions: sentDimensions = dimensions }: EmbeddingReply,
): Promise<void> {
  if (delayMs > 0) await sleep(delayMs);
  if (fault?.kind === "status") return sendStatus(res, fault);
  if (fault !== undefined) return misbehave(res, fault.kind);
  const tokens = input.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
  res.writeHead(200, { "Content-Type": "application/json" });
  res.end(
    JSON.stringify({
      object: "list",
      model,
      data: input.map((text, index) => ({
        object: "embedding",
        index,
        embedding: toHashedNgrams(text, sentDimensions),
      })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}

async function misbehave(res: ServerResponse, kind: "hang" | "disconnect" | "malformed" | "flood"): Promise<void> {
  if (kind === "hang") return;
  if (kind === "flood") return flood(res);
  if (kind === "disconnect") {
    res.destroy();
    return;
  }
  if (!res.headersSent) res.writeHead(200, { "Content-Type": "text/event-stream" });
  res.end('data: {"choices": [{"delta": \n\n');
}

async function flood(res: ServerResponse): Promise<void> {
  const piece = "data: [".repeat(100_000);
  if (!res.headersSent) res.writeHead(200, { "Content-Type": "text/event-stream" });
  const pieces = Array<string>(Math.ceil(FLOOD_BYTES / piece.length)).fill(piece);
  // Who reads gives up.
  await pipeline(Readable.from(pieces), res).catch(() => undefined);
}

function toChunks({ text = [], toolCalls = [], usage = DEFAULT_USAGE }: ModelReply): object[] {
  const pieces = typeof text === "string" ? [text] : text;
  const calls = toolCalls.map((call, index) => ({
    index,
    id: `call_${index}_${Math.random().toString(36).slice(2)}`,
    type: "function",
    function: {
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  return [
    ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
    ...calls.map((call) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }] },
    ...(usage === null
      ? []
      : [
          {
            choices: [],
            usage: {
              prompt_tokens: usage.inputTokens,
              completion_tokens: usage.outputTokens,
              total_tokens: usage.inputTokens + usage.outputTokens,
              prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
            },
          },
        ]),
  ];
}

async function readText(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) if (part instanceof Buffer) parts.push(part);
  return Buffer.concat(parts).toString();
}
