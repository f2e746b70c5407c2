// Swaps a directory for a link and back, as fast as possible, until its input ends.
// Arguments: the directory, a temporary name for it, and the target of the link.
import { renameSync, symlinkSync, unlinkSync } from "node:fs";

const [directory, aside, target] = process.argv.slice(2);
let isEnding = false;
process.stdin.on("end", () => (isEnding = true)).resume();

let made = 0;
/** While the name is free, the service may create a directory with it, which is moved out of the way. */
function retry(action) {
  for (;;) {
    try {
      action();
      return;
    } catch {
      renameSync(directory, `${aside}-${(made += 1)}`);
    }
  }
}

let swaps = 0;
function swap() {
  for (let round = 0; round < 20; round += 1) {
    renameSync(directory, aside);
    retry(() => symlinkSync(target, directory));
    unlinkSync(directory);
    retry(() => renameSync(aside, directory));
    swaps += 1;
  }
  if (isEnding) process.stdout.write(`${swaps}\n`);
  else setImmediate(swap);
}
process.stdout.write("ready\n");
swap();
