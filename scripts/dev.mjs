/**
 * `npm run dev`: the server, restarted whenever a source file changes, and the dashboard with hot reload. Nothing is built
 * first. `PORT` is the server's port, `WEB_PORT` the dashboard's.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { installDependencies, quietEnv, rootDir, runPnpm } from "./prepare.mjs";

const { PORT: port = "3000", WEB_PORT: webPort = "5173" } = process.env;

installDependencies();
runPnpm(["exec", "turbo", "run", "generate", "--output-logs=errors-only"]);

const processes = [
  // The dashboard's address is the public one, so that cookies and the origin check work with it.
  run("api-rest", ["tsx", "watch", "--clear-screen=false", "src/main.ts"], {
    PORT: port,
    SERVICE_AUTH_URL: process.env.SERVICE_AUTH_URL ?? `http://localhost:${webPort}`,
  }),
  run("web", ["vite", "--port", webPort, "--clearScreen", "false"], { DEV_SERVER_URL: `http://localhost:${port}` }),
];
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);

/** Runs a tool of a package. When one of them ends, the others are stopped too. */
function run(name, [tool, ...args], env) {
  const cwd = join(rootDir, "packages", name);
  const child = spawn(join(cwd, "node_modules/.bin", tool), args, {
    cwd,
    env: { ...quietEnv, ...env },
    stdio: ["inherit", "inherit", "inherit"],
  });
  child.on("exit", (code) => {
    process.exitCode ??= code ?? 1;
    stop();
  });
  return child;
}

/** Signals each process once: on a second signal, tsx kills the server instead of letting it close the database. */
function stop() {
  for (const child of processes.splice(0)) child.kill("SIGTERM");
}
