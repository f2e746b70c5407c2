/** Kills the service, then its database, with SIGKILL while clients write: `npm run bench -- kill 20`. */
import { runKillRounds } from "../../packages/api-rest/tests/kill-rounds.ts";

const kills = Number(process.argv[2] ?? 20);

for (const victim of ["service", "database"] as const) {
  const { acknowledged, lost, recoveriesMs } = await runKillRounds(victim, kills);
  const slowest = Math.max(...recoveriesMs);
  console.log(
    `kill -9 of the ${victim} ${kills} times: ${acknowledged} writes acknowledged, ${lost} lost, recovered after at most ${slowest} ms`,
  );
}
