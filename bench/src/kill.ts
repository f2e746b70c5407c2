/** Kills the service, its database, or one after the other, with SIGKILL while clients write: `npm run bench -- kill 20 [database]`. */
import { runKillRounds } from "../../packages/api-rest/tests/kill-rounds.ts";
import { victimsOf } from "./victims.ts";

const kills = Number(process.argv[2] ?? 20);

for (const victim of victimsOf(process.argv[3])) {
  const { acknowledged, lost, recoveriesMs } = await runKillRounds(victim, kills);
  const slowest = Math.max(...recoveriesMs);
  console.log(
    `kill -9 of the ${victim} ${kills} times: ${acknowledged} writes acknowledged, ${lost} lost, recovered after at most ${slowest} ms`,
  );
}
