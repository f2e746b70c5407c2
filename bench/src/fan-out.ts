/** How long a change takes from the request to each of many WebSockets: `npm run bench -- fan-out 500`. */
import { setTimeout as sleep } from "node:timers/promises";
import { withBenchDatabase } from "./bench-database.ts";
import { openSocket, percentile, postJson, prepareServices } from "./model-service.ts";
import { residentMb } from "./processes.ts";

const sockets = Number(process.argv[2] ?? 500);
const CHANGES = 100;
const PAUSE_MS = 100;
const SERVICES = 2;

await withBenchDatabase(async (_db, dataDir) => {
  const services = await prepareServices(dataDir);
  const running = await Promise.all(Array.from({ length: SERVICES }, (_, index) => services.start(index)));
  const pids = running.map(({ pid }) => pid);
  try {
    const before = await residentMb(pids.slice(0, 1));
    const receivedAt = new Map<string, number[]>();
    for (let index = 0; index < sockets; index += 1) {
      await openSocket(services.url(index % SERVICES), ({ type, resourceId = "" }) => {
        if (type === "resource_change")
          receivedAt.set(resourceId, [...(receivedAt.get(resourceId) ?? []), performance.now()]);
      });
    }
    const withSockets = await residentMb(pids.slice(0, 1));
    const startedAt = new Map<string, number>();
    for (let index = 0; index < CHANGES; index += 1) {
      const at = performance.now();
      const { data } = await postJson<{ data: { id: string } }>(`${services.url(0)}/api/tasks`, {
        title: `Change ${index}`,
      });
      startedAt.set(data.id, at);
      await sleep(PAUSE_MS);
    }
    await sleep(1000);
    const each: number[] = [];
    const all: number[] = [];
    let missed = 0;
    for (const [id, at] of startedAt) {
      const times = (receivedAt.get(id) ?? []).map((time) => time - at);
      missed += sockets - times.length;
      each.push(...times);
      all.push(Math.max(...times));
    }
    console.log(`${CHANGES} changes to ${sockets} sockets over ${SERVICES} services, from the request to the client:`);
    console.log(`  each socket: p50 ${percentile(each, 0.5)} ms, p99 ${percentile(each, 0.99)} ms; missed ${missed}`);
    console.log(`  all of them: p50 ${percentile(all, 0.5)} ms, p99 ${percentile(all, 0.99)} ms`);
    console.log(`  resident: ${before} MB without sockets, ${withSockets} MB with ${sockets / SERVICES}`);
  } finally {
    await services.close();
  }
});
