/** Kills the service, its database, or one after the other, with SIGKILL while clients write: `npm run bench -- kill 20 [database]`. */
import { runKillRounds } from "../../packages/api-rest/tests/kill-rounds.ts";

const kills = Number(process.argv[2] ?? 20);
const VICTIMS = ["service", "database"] as const;
const wanted = process.argv[3];
const victims = VICTIMS.filter((victim) => wanted === undefined || wanted === victim);
if (victims.length === 0) throw new Error(`${wanted} cannot be killed, only ${VICTIMS.join(" or ")}.`);

for (const victim of victims) {
  const { acknowledged, lost, recoveriesMs } = await runKillRounds(victim, kills);
  const slowest = Math.max(...recoveriesMs);
  console.log(
    `kill -9 of the ${victim} ${kills} times: ${acknowledged} writes acknowledged, ${lost} lost, recovered after at most ${slowest} ms`,
  );
}
