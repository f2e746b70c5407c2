import { chatEvent, clientFrame, inConversation, otherServerFrames } from "@workspace/core";
import * as z from "zod";

const CHANNEL = "#/channels/socket";

const DESCRIPTION = `Tells what changes in the workspace, and holds conversations with a model. Text frames of JSON, each with a \`type\`.

Connect with the session's cookie or an \`X-API-Token\` header. A browser may connect from the workspace's own pages only.

**Following changes.** Each \`resource_change\` has a number, \`seq\`. Who connects with \`?afterSeq=\` and the last number seen is sent all later changes, then new ones as they happen. If the server no longer has them, it sends \`resync\`: read the data anew, what follows comes after its \`lastSeq\`.

**Following an answer.** \`chat:resume\` replays the events of a conversation after a number, then sends new ones. Events have no gaps, so none is missed or seen twice whenever the connection breaks.

**Limits.** A frame has at most 1 MiB. Who sends too many, or does not read, is disconnected. The server sends a ping every 30 seconds; libraries answer it by themselves.`;

interface Options {
  readonly title: string;
  readonly version: string;
}

/** Describes the WebSocket as an AsyncAPI 3.0 document, from the schemas by which frames are checked and typed. */
export function describeSocket({ title, version }: Options): object {
  const received = messagesOf(clientFrame.options);
  const sent = messagesOf([...otherServerFrames, ...chatEvent.options.map((event) => inAnswer(event))]);
  const messages = { ...received, ...sent };
  return {
    asyncapi: "3.0.0",
    info: { title, version, description: DESCRIPTION },
    defaultContentType: "application/json",
    servers: {
      workspace: {
        host: "{host}",
        protocol: "ws",
        description: "With TLS, `wss`.",
        variables: { host: { default: "localhost:3000" } },
        security: [{ $ref: "#/components/securitySchemes/session" }, { $ref: "#/components/securitySchemes/apiToken" }],
      },
    },
    channels: {
      socket: {
        address: "/api/ws",
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
        bindings: {
          ws: {
            query: {
              type: "object",
              properties: {
                afterSeq: {
                  type: "integer",
                  minimum: 0,
                  description: "The number of the last change seen. Without it, only what happens from now on is sent.",
                },
                pageUser: {
                  type: "string",
                  description: "The id of the user whose page connects, which is refused with somebody else's session.",
                },
              },
            },
          },
        },
      },
    },
    operations: {
      receive: operation("receive", "What a client may send.", Object.keys(received)),
      send: operation("send", "What the server sends.", Object.keys(sent)),
    },
    components: {
      messages,
      securitySchemes: {
        session: { type: "httpApiKey", in: "cookie", name: "better-auth.session_token" },
        apiToken: { type: "httpApiKey", in: "header", name: "X-API-Token" },
      },
    },
  };
}

type Frame = z.ZodObject<{ readonly type: z.ZodLiteral<string> }>;

function inAnswer(event: (typeof chatEvent.options)[number]): Frame {
  return z.object({ ...event.shape, ...inConversation.shape }).describe(event.description ?? "");
}

/** Messages by a name in camel case; of two with the same `type`, the first is that of a failed request. */
function messagesOf(frames: readonly Frame[]): Record<string, object> {
  const messages: Record<string, object> = {};
  for (const frame of frames) {
    const type = frame.shape.type.value;
    const name = type.replaceAll(/[:_](\w)/g, (_match, letter: string) => letter.toUpperCase());
    const { $schema: _schema, description, ...payload } = z.toJSONSchema(frame, { io: "input" });
    messages[name in messages ? `${name}InAnswer` : name] = { name: type, summary: description, payload };
  }
  return messages;
}

function operation(action: "receive" | "send", summary: string, names: readonly string[]): object {
  return {
    action,
    summary,
    channel: { $ref: CHANNEL },
    messages: names.map((name) => ({ $ref: `${CHANNEL}/messages/${name}` })),
  };
}
