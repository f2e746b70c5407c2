/** The maximum lifetime of a helper: five seconds after a hook, no process of ours is running, except one that watches its session. */
export const MAX_HELPER_LIFETIME_MS = 3_500;

/**
 * Starts a short-lived process of our own for work that the hook has no time for. It is detached and holds none of the
 * hook's pipes, so the assistant does not wait for it. Returns whether it was started.
 */
export async function startHelper(program: string, args: readonly string[]): Promise<boolean> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], {
      detached: true,
      stdio: "ignore",
      cwd: "/",
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}
