import {
  clientFrame,
  describeIssues,
  type ClientFrame,
  type Logger,
  type Services,
  type UserPrincipal,
} from "@workspace/core";
import type { RawData, WebSocket } from "ws";
import { hasMoreValues } from "../rest/json-size.ts";
import { createChangeStream, type ChangeStream } from "./change-stream.ts";
import { createChatSession } from "./chat-session.ts";
import { CLOSE_CODES, createClientSocket } from "./client-socket.ts";
import { createFrameBudget, type FrameRate } from "./frame-budget.ts";

/** How many frames of one client may wait to be executed. */
const MAX_WAITING_FRAMES = 200;
/** Many times as many as the largest valid frame has. */
const MAX_VALUES = 1_000;
/** How long a client that sent too much has to close its side. */
const CLOSE_GRACE_MS = 1_000;

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly user: UserPrincipal;
  /** The last change that the client has already received; null if it has received none. */
  readonly afterSeq: number | null;
  /** How much the client may send. */
  readonly frameRate: FrameRate;
  /** Called, perhaps more than once, when the socket is closed because of what the client sent. */
  readonly onViolation: () => void;
  readonly services: Pick<Services, "changes" | "chat" | "conversationFeed">;
  readonly logger: Logger;
}

/**
 * Serves one client until its socket closes. Its frames are executed one at a time, in order of arrival. Returns the stream
 * that sends changes to the client.
 */
export function serveConnection(options: ConnectionOptions): ChangeStream {
  const { socket, user, afterSeq, services, logger } = options;
  const client = createClientSocket(socket);
  const changes = createChangeStream(client, services.changes);
  const chat = createChatSession({ socket: client, user, services, logger });
  let waitingFrames = 0;
  let queue = changes.start(user.userId, afterSeq).catch((error: unknown) => {
    logger.error({ err: error }, "a client's change stream could not be started");
    socket.terminate();
  });

  const execute = async (frame: ClientFrame): Promise<void> => {
    if (frame.type === "ping") client.send({ type: "pong" });
    else await chat.handle(frame);
    await client.untilRead();
  };
  const closeForFlooding = limitFrames(options);
  socket.on("message", (data, isBinary) => {
    if (socket.readyState !== socket.OPEN) return;
    const frame = isBinary ? "Frames must be text." : parseFrame(toBytes(data));
    if (typeof frame === "string") {
      client.send({ type: "error", message: frame });
      return;
    }
    waitingFrames += 1;
    if (waitingFrames > MAX_WAITING_FRAMES) {
      closeForFlooding();
      return;
    }
    queue = queue.then(() => execute(frame)).finally(() => (waitingFrames -= 1));
  });
  // Registered after the handler that counts frames, so that excess pings get no response.
  socket.on("ping", client.pong);
  socket.on("close", () => chat.close());
  // A broken connection or a malformed frame closes the socket; nothing else is needed.
  socket.on("error", (error) => {
    logger.debug({ err: error }, "a socket failed");
    options.onViolation();
  });
  return changes;
}

/**
 * Counts all frames that a client sends, whatever their kind and content, and closes its socket if there are too many. Returns
 * a function that closes it for that reason. Nothing that the client sends afterwards is read.
 */
function limitFrames({ socket, frameRate, onViolation }: ConnectionOptions): () => void {
  const takeFrame = createFrameBudget(frameRate, () => performance.now());
  const close = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.close(CLOSE_CODES.tooManyFrames, "too many frames");
    socket.pause();
    onViolation();
    const deadline = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
    socket.once("close", () => clearTimeout(deadline));
  };
  const count = (data: RawData): void => {
    if (!takeFrame(sizeOf(data))) close();
  };
  for (const kind of ["message", "ping", "pong"] as const) socket.on(kind, count);
  return close;
}

function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength;
}

/** Parses a frame; returns a message if it is invalid. */
function parseFrame(bytes: Buffer): ClientFrame | string {
  if (hasMoreValues(bytes, MAX_VALUES)) return `Invalid frame: it contains more than ${MAX_VALUES} values.`;
  const parsed = clientFrame.safeParse(parseJson(bytes.toString()));
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  return `Invalid frame: ${issues.join("; ")}`;
}

function toBytes(data: RawData): Buffer {
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  return Array.isArray(data) ? Buffer.concat(data) : data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
