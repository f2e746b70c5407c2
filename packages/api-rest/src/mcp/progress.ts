import type { Context, Services } from "@workspace/core";
import * as z from "zod";

/** Between two reports of progress, so that an answer is not sent letter by letter. */
const CHARACTERS_PER_REPORT = 200;
/** Each report repeats it. A client with a longer one gets no reports. */
const MAX_TOKEN = 255;

type Token = string | number;
type SendProgress = (notification: {
  method: "notifications/progress";
  params: { progressToken: Token; progress: number; message: string };
}) => Promise<void>;

const parameters = z.object({
  name: z.literal("agents_ask"),
  _meta: z.object({ progressToken: z.union([z.string().max(MAX_TOKEN), z.number()]) }),
});

/** Under which token a call wants to get progress; undefined if it does not, or if its tool has none to report. */
export function progressTokenOf(params: unknown): Token | undefined {
  const { data } = parameters.safeParse(params);
  // oxlint-disable-next-line no-underscore-dangle -- The name is the protocol's.
  return data?._meta.progressToken;
}

/** Reports how many characters of an answer there are, with the newest of them. */
export function reportProgress(progressToken: Token, send: SendProgress): NonNullable<Context<Services>["delivery"]> {
  let progress = 0;
  let pending = "";
  const report = (message: string): void => {
    // A client that is gone misses its progress; the answer is recorded.
    send({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => undefined);
  };
  return {
    onBegin: () => report("The agent has begun."),
    onText(delta) {
      pending += delta;
      if (pending.length < CHARACTERS_PER_REPORT) return;
      progress += pending.length;
      report(pending);
      pending = "";
    },
  };
}
