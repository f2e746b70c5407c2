/**
 * Answers that are followed over connections which break again and again, to one of two services at random:
 * `npx tsx src/chat-resume.ts <drops>`. Counts the characters that went missing or came twice.
 */
import { once } from "node:events";
import { withBenchDatabase } from "./bench-database.ts";
import { openSocket, prepareServices, type Frame, type ModelServices } from "./model-service.ts";

const drops = Number(process.argv[2] ?? 1000);
const AT_ONCE = 10;
const WORDS = 1500;
/** Words that differ, so that a missing or doubled one shows. */
const words = Array.from({ length: WORDS }, (_, index) => `word-${index} `);
const whole = words.join("");

/** What one client has been told of an answer so far. */
class Follower {
  text = "";
  drops = 0;
  isOver = false;
  #seen = 0;
  #conversationId = "";

  /** Follows for a few frames, over a connection that breaks after that. */
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
    const begin = { type: "chat:send", message: "Tell me" };
    const goOn = { type: "chat:resume", conversationId: this.#conversationId, afterSeq: this.#seen };
    socket.send(JSON.stringify(this.#conversationId === "" ? begin : goOn));
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
    let doubled = 0;
    let wrong = 0;
    while (done < drops) {
      const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => followOne(services)));
      for (const outcome of outcomes) {
        done += outcome.drops;
        answers += 1;
        missing += Math.max(0, whole.length - outcome.text.length);
        doubled += Math.max(0, outcome.text.length - whole.length);
        if (outcome.text !== whole) wrong += 1;
      }
    }
    console.log(`${done} dropped connections over ${answers} answers of ${whole.length} characters, two services:`);
    console.log(`  characters missing ${missing}, doubled ${doubled}; answers that differ ${wrong}`);
  } finally {
    await services.close();
  }
});
