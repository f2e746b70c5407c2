/**
 * `npm run calendar-clients`: starts the built server, and lets real CalDAV clients from PyPI use it, in an environment of their own:
 * the library caldav, and vdirsyncer. Needs Python 3 with venv, and PyPI.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { prepare, rootDir } from "./prepare.mjs";

const PACKAGES = ["caldav==3.6.0", "icalendar==7.3.2", "vdirsyncer==0.21.0"];
const API_TOKEN = "token of the calendar clients";
const PORT = process.env.PORT ?? "3917";
const URL_OF_SERVER = `http://localhost:${PORT}`;

prepare();
const folder = mkdtempSync(join(tmpdir(), "workspace-calendar-clients-"));
const python = join(folder, "venv/bin/python");
const server = spawn(process.execPath, [join(rootDir, "packages/api-rest/dist/main.js")], {
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    NODE_ENV: "production",
    PORT,
    DATA_DIR: join(folder, "data"),
    ADMIN_EMAIL: "ada@example.com",
    ADMIN_PASSWORD: "correct horse battery",
    SERVICE_API_TOKEN: API_TOKEN,
  },
  stdio: ["ignore", "pipe", "inherit"],
});
let status = 1;
try {
  run("python3", ["-m", "venv", join(folder, "venv")]);
  run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...PACKAGES]);
  await ready();
  const key = await createKey();
  run(python, [join(rootDir, "packages/api-rest/tests/calendar-clients.py")], {
    CALDAV_URL: URL_OF_SERVER,
    CALDAV_KEY: key,
    API_TOKEN,
  });
  await synchronizeWithVdirsyncer(key);
  status = 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  server.kill();
  await once(server, "exit");
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

async function ready() {
  for await (const line of createInterface({ input: server.stdout })) if (line.includes("is ready at")) return;
  throw new Error("The server has ended.");
}

async function request(method, path, body) {
  const headers = { "X-API-Token": API_TOKEN, "Content-Type": "application/json" };
  const response = await fetch(URL_OF_SERVER + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return (await response.json()).data;
}

async function createKey() {
  return (await request("POST", "/api/api-keys", { name: "clients", scopes: ["tasks:read", "tasks:write"] })).key;
}

/** Tasks become files and files become tasks, and a second run finds nothing to do. */
async function synchronizeWithVdirsyncer(key) {
  const files = join(folder, "files");
  const config = join(folder, "vdirsyncer.conf");
  writeFileSync(config, vdirsyncerConfig(files, key));
  const vdirsyncer = (...args) =>
    run(join(folder, "venv/bin/vdirsyncer"), ["-c", config, ...args], {}, "yes\n".repeat(20));
  vdirsyncer("discover");
  vdirsyncer("sync");
  const list = join(files, "no-project");
  const count = readdirSync(list).length;
  if (count === 0) throw new Error("vdirsyncer has got no tasks.");
  mkdirSync(list, { recursive: true });
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//x//y//EN",
    "BEGIN:VTODO",
    "UID:from-a-file",
    "SUMMARY:From a file",
  ];
  writeFileSync(join(list, "from-a-file.ics"), [...lines, "END:VTODO", "END:VCALENDAR", ""].join("\r\n"));
  vdirsyncer("sync");
  const [task] = await request("GET", "/api/tasks?search=From%20a%20file");
  if (task?.title !== "From a file") throw new Error("vdirsyncer has not stored the task.");
  await request("PUT", `/api/tasks/${task.id}`, { title: "From both sides" });
  vdirsyncer("sync");
  const written = readFileSync(join(list, "from-a-file.ics"), "utf8");
  if (!written.includes("From both sides")) throw new Error("vdirsyncer has not got the change.");
  console.log(`ok vdirsyncer synchronizes ${count + 1} tasks in both directions`);
}

function vdirsyncerConfig(files, key) {
  return `[general]
status_path = "${folder}/status/"
[pair tasks]
a = "server"
b = "files"
collections = ["from a"]
conflict_resolution = "a wins"
[storage server]
type = "caldav"
url = "${URL_OF_SERVER}/caldav/"
username = "anyone"
password = "${key}"
item_types = ["VTODO"]
[storage files]
type = "filesystem"
path = "${files}/"
fileext = ".ics"
`;
}

function run(program, args, env = {}, input = "") {
  execFileSync(program, args, { env: { ...process.env, ...env }, input, stdio: ["pipe", "inherit", "inherit"] });
}
