/**
 * The floor: what the same requests cost with nothing but node:http, pg and handwritten SQL on the same database, with the
 * same bytes in the response. No authentication, no validation, no routing beyond a comparison.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createDb } from "@workspace/db";
import { v7 } from "uuid";

const [port = "0", connection = "{}", creatorId = ""] = process.argv.slice(2);
const silent = { info() {}, warn() {}, error() {} };
const vaultDir = join(JSON.parse(connection).host, "../vault");
await mkdir(join(vaultDir, ".floor"), { recursive: true });
const { pool } = createDb(JSON.parse(connection), { log: silent });

const COLUMNS = `t.id, t.title, t.description, t.status, t.priority, t.project_id AS "projectId", t.due_date AS "dueDate",
  t.due_time AS "dueTime", t.tags, t.completed_at AS "completedAt", t.deleted_at AS "deletedAt", t.created_at AS "createdAt",
  t.modified_at AS "modifiedAt", p.name AS "projectName", p.color AS "projectColor", t.creator_id AS "creatorId",
  t.version, u.name AS "creatorName", t.claim_holder AS "claimHolder", t.claim_session_id AS "claimSessionId",
  t.claimed_at AS "claimedAt", t.claim_expires_at AS "claimExpiresAt", t.handover_note AS "handoverNote",
  t.parent_id AS "parentId", t.position, t.checklist_done AS "checklistDone", t.checklist_total AS "checklistTotal",
  subtasks.done AS "subtasksDone", subtasks.total AS "subtasksTotal", t.repeat_rule AS repeat, t.repeat_from AS "repeatFrom",
  t.repeat_timezone AS "repeatTimezone", t.next_id AS "nextId", t.snoozed_until AS "snoozedUntil", t.assignee`;
const JOINS = `JOIN users u ON u.id = t.creator_id LEFT JOIN projects p ON p.id = t.project_id`;
const FROM = `FROM tasks t ${JOINS} CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE subtask.status = 'done')::int AS done, count(*)::int AS total FROM tasks subtask
  WHERE subtask.parent_id = t.id AND subtask.deleted_at IS NULL) AS subtasks`;
const ONE = `SELECT ${COLUMNS} ${FROM} WHERE t.id = $1`;
const LIST = `SELECT ${COLUMNS} ${FROM} WHERE t.deleted_at IS NULL ORDER BY t.created_at DESC, t.id DESC LIMIT 51`;
const SEARCH = `SELECT ${COLUMNS} ${FROM} WHERE t.deleted_at IS NULL AND t.search_text LIKE $1
  ORDER BY t.created_at DESC, t.id DESC LIMIT 51`;
const INSERT = `WITH t AS (INSERT INTO tasks (id, title, description, priority, tags, creator_id, created_at, modified_at, search_text)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8) RETURNING *)
  SELECT ${COLUMNS} FROM t ${JOINS} CROSS JOIN (SELECT 0 AS done, 0 AS total) AS subtasks`;
const INSERT_EVENT = `INSERT INTO hook_events (id, event_type, session_id, project_dir, tool_name, event_data, duration_ms, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const PUT_DOCUMENT = `INSERT INTO documents (id, title, path, directory, link_name, file_type, content_hash, size_bytes, mtime_ns,
    inode, birthtime_ns, created_at, modified_at, search_text, creator_id)
  VALUES ($1, $2, $3, '/.floor', $2, 'markdown', $4, $5, 1, 1, 1, $6, $6, $7, $8)
  ON CONFLICT (path) WHERE deleted_at IS NULL DO UPDATE SET content_hash = excluded.content_hash,
    size_bytes = excluded.size_bytes, modified_at = excluded.modified_at`;

function toTask(row: any): object {
  const { projectName, projectColor, creatorId: id, creatorName, version, handoverNote, ...rest } = row;
  const { claimHolder: holder, claimSessionId: sessionId, claimedAt: since, claimExpiresAt: until, ...counted } = rest;
  const { checklistDone, checklistTotal, subtasksDone, subtasksTotal, ...task } = counted;
  const project = task.projectId === null ? null : { id: task.projectId, name: projectName, color: projectColor };
  const claim = holder === null ? null : { holder, sessionId, since, until };
  const checklist = { done: checklistDone, total: checklistTotal };
  const subtasks = { done: subtasksDone, total: subtasksTotal };
  const creator = { id, name: creatorName };
  return { ...task, project, creator, version: String(version), claim, handoverNote, checklist, subtasks };
}

function send(res: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(text) });
  res.end(text);
}

function toPage(rows: object[]): object {
  const last: any = rows[49];
  const nextCursor =
    rows.length > 50
      ? Buffer.from(JSON.stringify(["listhash", last.createdAt, last.id])).toString("base64url")
      : undefined;
  return { data: rows.slice(0, 50).map(toTask), ...(nextCursor !== undefined && { nextCursor }) };
}

function readBody(req: IncomingMessage): Promise<any> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
  });
}

/** As durable as the service: temporary file, fsync, rename, fsync of the directory. */
async function writeDurably(path: string, content: string): Promise<boolean> {
  const isNew = await stat(path).then(
    () => false,
    () => true,
  );
  const temporary = join(dirname(path), `.${randomUUID()}`);
  const file = await open(temporary, "wx");
  await file.writeFile(content);
  await file.sync();
  await file.close();
  await rename(temporary, path);
  const directory = await open(dirname(path), "r");
  await directory.sync();
  await directory.close();
  return isNew;
}

const hash = (content: string) => createHash("sha256").update(content).digest("hex");

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [path, argument = ""] = (req.url ?? "").split("?");
  if (path === "/task") {
    const { rows } = await pool.query({ name: "one", text: ONE, values: [argument] });
    send(res, { data: toTask(rows[0]) });
  } else if (path === "/tasks") {
    send(res, toPage((await pool.query({ name: "list", text: LIST })).rows));
  } else if (path === "/search") {
    send(res, toPage((await pool.query(SEARCH, [`%${argument}%`])).rows));
  } else if (path === "/read") {
    const body = await readBody(req);
    const file = join(vaultDir, body.path);
    const [content, { mtime }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    send(res, { data: { path: body.path, content, modifiedAt: mtime, contentHash: hash(content) } });
  } else if (path === "/write") {
    const { path: name, content } = await readBody(req);
    const created = await writeDurably(join(vaultDir, ".floor", name.replaceAll("/", "_")), content);
    if (argument === "record") {
      const text = `${name}\u001f${name}`.toLowerCase();
      const values = [v7(), name, `/.floor${name}`, hash(content), content.length, new Date(), text, creatorId];
      await pool.query({ name: "document", text: PUT_DOCUMENT, values });
    }
    send(res, { data: { path: name, created, contentHash: hash(content), modifiedAt: new Date() } });
  } else if (path === "/event") {
    const { eventType, sessionId, projectDir, toolName, eventData, durationMs } = await readBody(req);
    const [id, createdAt] = [v7(), new Date()];
    const values = [id, eventType, sessionId, projectDir, toolName, JSON.stringify(eventData), durationMs, createdAt];
    await pool.query({ name: "event", text: INSERT_EVENT, values });
    send(res, { data: { id, eventType, blocked: false, blockReason: null, createdAt } });
  } else {
    const { title, description, priority, tags } = await readBody(req);
    const values = [
      v7(),
      title,
      description,
      priority,
      tags,
      creatorId,
      new Date(),
      `${title}\u001f${description}`.toLowerCase(),
    ];
    const { rows } = await pool.query({ name: "insert", text: INSERT, values });
    send(res, { data: toTask(rows[0]) });
  }
}

createServer((req, res) => {
  answer(req, res).catch((error: unknown) => {
    res.writeHead(500).end(String(error));
  });
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("floor is ready\n"));
