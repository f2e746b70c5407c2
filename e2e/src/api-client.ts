import type { TestServer } from "./server-process.ts";

/** One batch at a time; several would have calls wait longer for a connection to the database than the server lets them. */
const BATCH_SIZE = 50;

export type Input = Readonly<Record<string, unknown>>;

/** Fills a server with data, as the signed-in user. */
export interface ApiClient {
  /** The session's cookie header. */
  readonly cookie: string;
  /** Calls a mutation once for each input, batching requests. Returns the outputs in order. */
  mutateAll<Output>(procedure: string, inputs: readonly Input[]): Promise<Output[]>;
  query<Output>(procedure: string, input: Input): Promise<Output>;
}

export async function createApiClient({ url, email, password }: TestServer): Promise<ApiClient> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Could not sign in: ${response.status} ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((entry) => entry.split(";")[0])
    .join("; ");

  const sendBatch = async <Output>(procedure: string, inputs: readonly Input[]): Promise<Output[]> => {
    const path = inputs.map(() => procedure).join(",");
    const answer = await fetch(`${url}/api/trpc/${path}?batch=1`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(Object.fromEntries(inputs.map((input, index) => [index, input]))),
    });
    if (!answer.ok) throw new Error(`${procedure} failed: ${answer.status} ${await answer.text()}`);
    const results = (await answer.json()) as { result?: { data: { data: Output } }; error?: unknown }[];
    return results.map(({ result, error }) => {
      if (result === undefined) throw new Error(`${procedure} failed: ${JSON.stringify(error)}`);
      return result.data.data;
    });
  };
  return {
    cookie,
    query: async <Output>(procedure: string, input: Input) => {
      const answer = await fetch(`${url}/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {
        headers: { cookie },
      });
      if (!answer.ok) throw new Error(`${procedure} failed: ${answer.status} ${await answer.text()}`);
      const { result } = (await answer.json()) as { result: { data: { data: Output } } };
      return result.data.data;
    },
    mutateAll: async <Output>(procedure: string, inputs: readonly Input[]) => {
      const outputs: Output[] = [];
      for (let start = 0; start < inputs.length; start += BATCH_SIZE) {
        outputs.push(...(await sendBatch<Output>(procedure, inputs.slice(start, start + BATCH_SIZE))));
      }
      return outputs;
    },
  };
}
