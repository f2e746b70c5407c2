import {
  clientFrame,
  describeIssues,
  type ClientFrame,
  type Logger,
  type Services,
  type UserPrincipal,
} from "@workspace/core";
import type { RawData, WebSocket } from "ws";
import { createChangeStream, type ChangeStream } from "./change-stream.ts";
import { createChatSession } from "./chat-session.ts";
import { CLOSE_CODES, createClientSocket } from "./client-socket.ts";
import { createFrameBudget, type FrameRate } from "./frame-budget.ts";

/** Frames of one client that may wait to be carried out. */
const MAX_WAITING_FRAMES = 200;
/** How long a client that sent too much has to close its side. */
const CLOSE_GRACE_MS = 1_000;

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly user: UserPrincipal;
  /** The last change that the client knows from before; null where it knows none. */
  readonly afterSeq: number | null;
  /** How much the client may send. */
  readonly frameRate: FrameRate;
  /** Called, perhaps more than once, when the socket is closed because of what the client sent. */
  readonly onViolation: () => void;
  readonly services: Pick<Services, "changes" | "chat" | "conversationFeed">;
  readonly logger: Logger;
}

/**
 * Serves one client until its socket closes. Its frames are carried out one after the other, in the order in which they
 * came. Answers where changes go to.
 */
export function serveConnection(options: ConnectionOptions): ChangeStream {
  const { socket, user, afterSeq, services, logger } = options;
  const client = createClientSocket(socket);
  const changes = createChangeStream(client, services.changes);
  const chat = createChatSession({ socket: client, user, services, logger });
  let waitingFrames = 0;
  let lane = changes.start(user.userId, afterSeq).catch((error: unknown) => {
    logger.error({ err: error }, "a client could not be greeted");
    socket.terminate();
  });

  const carryOut = async (frame: ClientFrame): Promise<void> => {
    if (frame.type === "ping") client.send({ type: "pong" });
    else await chat.handle(frame);
    await client.untilRead();
  };
  const closeAsFlooded = limitFrames(options);
  socket.on("message", (data, isBinary) => {
    if (socket.readyState !== socket.OPEN) return;
    const frame = isBinary ? "Frames are text." : parseFrame(toText(data));
    if (typeof frame === "string") {
      client.send({ type: "error", message: frame });
      return;
    }
    waitingFrames += 1;
    if (waitingFrames > MAX_WAITING_FRAMES) {
      closeAsFlooded();
      return;
    }
    lane = lane.then(() => carryOut(frame)).finally(() => (waitingFrames -= 1));
  });
  // Behind the count of frames, so that too many are not answered.
  socket.on("ping", client.pong);
  socket.on("close", () => chat.close());
  // A broken connection or frame closes the socket; there is nothing more to do about it.
  socket.on("error", (error) => {
    logger.debug({ err: error }, "a socket failed");
    options.onViolation();
  });
  return changes;
}

/**
 * Counts the frames of every kind that a client sends, whatever is in them, and closes its socket when they are too many.
 * Answers how to close it for that reason. What the client sends from then on is not read.
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

/** A frame, or what is wrong with it. */
function parseFrame(text: string): ClientFrame | string {
  const parsed = clientFrame.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  return `This is no frame: ${issues.join("; ")}`;
}

function toText(data: RawData): string {
  if (data instanceof ArrayBuffer) return Buffer.from(data).toString();
  return (Array.isArray(data) ? Buffer.concat(data) : data).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
