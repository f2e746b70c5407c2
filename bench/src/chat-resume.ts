/**
 * Follows chat answers over connections that break repeatedly, to one of two services at random: `npm run bench -- chat-resume
 * <drops>`. Counts the characters that were lost or duplicated.
 */
import { once } from "node:events";
import { withBenchDatabase } from "./bench-database.ts";
import { openSocket, prepareServices, type Frame, type ModelServices } from "./model-service.ts";

const drops = Number(process.argv[2] ?? 1000);
const PARALLEL_FOLLOWERS = 10;
const WORDS = 1500;
/** Distinct words, so that a lost or duplicated one is noticed. */
const words = Array.from({ length: WORDS }, (_, index) => `word-${index} `);
const whole = words.join("");

/** What one client has received of an answer so far. */
class Follower {
  text = "";
  drops = 0;
  isOver = false;
  #seen = 0;
  #conversationId = "";

  /** Follows for a few frames, over a connection that is then broken. */
  async followFor(frames: number, url: string): Promise<void> {
    let left = frames;
    const enough = new AbortController();
    const onFrame = ({ type, seq, conversationId = "", delta = "" }: Frame): void => {
      if (type === "chat:session_created") this.#conversationId = conversationId;
      if (conversationId !== this.#conversationId || seq === undefined || left === 0) return;
      this.text += delta;
      this.#seen = seq;
      this.isOver = type === "chat:stream_end";
      left -= 1;
      if (left === 0 || this.isOver) enough.abort();
    };
    const socket = await openSocket(url, onFrame);
    const start = { type: "chat:send", message: "Tell me" };
    const resume = { type: "chat:resume", conversationId: this.#conversationId, afterSeq: this.#seen };
    socket.send(JSON.stringify(this.#conversationId === "" ? start : resume));
    if (!enough.signal.aborted) await once(enough.signal, "abort");
    socket.terminate();
    this.drops += 1;
  }
}

async function followOne(services: ModelServices): Promise<Follower> {
  const follower = new Follower();
  while (!follower.isOver) {
    await follower.followFor(1 + Math.floor(Math.random() * 4), services.url(Math.floor(Math.random() * 2)));
  }
  return follower;
}

await withBenchDatabase(async (_db, dataDir) => {
  const services = await prepareServices(dataDir);
  services.model.replyAlways({ text: words, delayMs: 5 });
  await Promise.all([services.start(0), services.start(1)]);
  try {
    let done = 0;
    let answers = 0;
    let missing = 0;
    let duplicated = 0;
    let wrong = 0;
    while (done < drops) {
      const outcomes = await Promise.all(Array.from({ length: PARALLEL_FOLLOWERS }, () => followOne(services)));
      for (const outcome of outcomes) {
        done += outcome.drops;
        answers += 1;
        missing += Math.max(0, whole.length - outcome.text.length);
        duplicated += Math.max(0, outcome.text.length - whole.length);
        if (outcome.text !== whole) wrong += 1;
      }
    }
    console.log(`${done} dropped connections over ${answers} answers of ${whole.length} characters, two services:`);
    console.log(`  characters lost ${missing}, duplicated ${duplicated}; answers that differ ${wrong}`);
  } finally {
    await services.close();
  }
});
