/**
 * Installs into and uninstalls from generated settings files, with kills halfway: `npm run bench -- hooks-cli-settings 1000
 * 200`.
 */
import { settingsKills, settingsRoundTrips } from "../../packages/hooks-cli/tests/support/settings-rounds.ts";

const files = Number(process.argv[2] ?? 1_000);
const kills = Number(process.argv[3] ?? 200);

console.log(`${files} settings files through install and uninstall: ${settingsRoundTrips(files)} changed afterwards`);
const { damaged, different, inTheMiddle, leftBehind } = await settingsKills(kills);
console.log(
  `${kills} kills, ${inTheMiddle} of them halfway: ${damaged} files damaged, ${different} changed at the end, ` +
    `${leftBehind} temporary files left`,
);
