/** The longest that a helper lives. Whoever looks five seconds after a hook finds nothing of ours. */
export const HELPER_LIMIT_MS = 3_500;

/**
 * Starts a process of our own that does what the hook has no time for, and ends by itself soon. It belongs to no terminal
 * and holds none of the hook's pipes, so the assistant does not wait for it. Answers whether it was started.
 */
export async function startHelper(program: string): Promise<boolean> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, "flush", "--background"], {
      detached: true,
      stdio: "ignore",
      cwd: "/",
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}
