/**
 * How much server memory a client that does not read costs, compared with one that does, and whether it is dropped:
 * `npm run bench -- slow-client`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { withBenchDatabase } from "./bench-database.ts";
import { openSocket, prepareServices, type ModelServices } from "./model-service.ts";
import { residentMb } from "./processes.ts";

const CHUNK = "x".repeat(64 * 1024);
const CHUNKS = 32;
const ANSWERS = 10;
const WATCHED_MS = 15_000;

/** Streams ten answers of 2 MB each to one client at once. */
async function measure(services: ModelServices, pid: number, reads: boolean): Promise<string> {
  const before = await residentMb([pid]);
  const ended: string[] = [];
  const socket = await openSocket(services.url(0), ({ type }) => type === "chat:stream_end" && ended.push(type));
  const closed: number[] = [];
  socket.on("close", (code) => closed.push(code));
  for (let index = 0; index < ANSWERS; index += 1) socket.send(JSON.stringify({ type: "chat:send", message: "Much" }));
  if (!reads) socket.pause();
  let peak = before;
  const end = performance.now() + WATCHED_MS;
  while (performance.now() < end && ended.length < ANSWERS) {
    peak = Math.max(peak, await residentMb([pid]));
    await sleep(20);
  }
  // A paused socket does not notice that it was closed until it reads again.
  socket.resume();
  await sleep(1000);
  const wasDropped = closed.length > 0 ? "dropped" : "not dropped";
  socket.terminate();
  await sleep(15_000);
  const after = await residentMb([pid]);
  return `resident ${before} MB before, ${peak} MB at most (+${peak - before}), ${after} MB afterwards; ${wasDropped}`;
}

await withBenchDatabase(async (_db, dataDir) => {
  const services = await prepareServices(dataDir);
  services.model.replyAlways({ text: Array.from({ length: CHUNKS }, () => CHUNK), delayMs: 200 });
  const { pid } = await services.start(0);
  try {
    await measure(services, pid, true);
    for (const reads of [true, false, true, false]) {
      console.log(`a client that ${reads ? "reads" : "does not read"}: ${await measure(services, pid, reads)}`);
    }
  } finally {
    await services.close();
  }
});
