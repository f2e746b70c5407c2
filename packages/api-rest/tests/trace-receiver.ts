import { once } from "node:events";
import { createServer } from "node:http";
import * as z from "zod";

const attribute = z
  .object({
    key: z.string(),
    value: z.object({
      stringValue: z.string().optional(),
      intValue: z.coerce.number().optional(),
      arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
    }),
  })
  .transform(({ key, value: { stringValue, intValue, arrayValue } }): [string, unknown] => [
    key,
    stringValue ?? intValue ?? arrayValue?.values.map((each) => each.stringValue),
  ]);
const attributes = z.array(attribute).transform((all) => Object.fromEntries(all));

const body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
              status: z.object({ code: z.number().optional(), message: z.string().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof body>["resourceSpans"][0]["scopeSpans"][0]["spans"][0];

/** The codes of OTLP. */
export const FAILED = 2;
export const SERVER_KIND = 2;

/** A program to which traces are sent by OTLP over HTTP. It reads those in JSON, and keeps the bytes of others. */
export async function startTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const requests: { url: string; type: string; authorization: string; body: Buffer }[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const type = req.headers["content-type"] ?? "";
      requests.push({ url: req.url ?? "", type, authorization: req.headers.authorization ?? "", body: bytes });
      if (type === "application/json") {
        for (const { resource, scopeSpans } of body.parse(JSON.parse(bytes.toString())).resourceSpans) {
          resources.push(resource.attributes);
          spans.push(...scopeSpans.flatMap((scope) => scope.spans));
        }
      }
      res.writeHead(200, { "Content-Type": type }).end(type === "application/json" ? "{}" : "");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    resources,
    requests,
    childrenOf: ({ spanId }: ReceivedSpan) => spans.filter(({ parentSpanId }) => parentSpanId === spanId),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
