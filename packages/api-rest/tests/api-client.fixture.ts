/**
 * A program as a developer would write it with the client that openapi-typescript and openapi-fetch generate from the document of `/api`:
 * it calls every operation of tasks, projects, notes and the search.
 */
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./api.ts";

/** What an operation, with its path as the document has it, responded. */
export interface Received {
  readonly operation: string;
  readonly status: number;
  readonly body: unknown;
}

/** Works through everything with a key or a session, and returns all that it received. Throws if something is refused. */
export async function useEverything(url: string, headers: Record<string, string>): Promise<Received[]> {
  const received: Received[] = [];
  const record: Middleware = {
    async onResponse({ request, response, schemaPath }) {
      const text = await response.clone().text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      received.push({ operation: `${request.method} ${schemaPath}`, status: response.status, body });
      if (!response.ok) throw new Error(`${request.method} ${schemaPath}: ${response.status} ${text}`);
    },
  };
  const client = createClient<paths>({ baseUrl: `${url}/api`, headers });
  client.use(record);
  const { GET, POST, PUT, DELETE } = client;
  const id = (output: { data?: { data: { id: string } } }): string => output.data?.data.id ?? "";
  const at = (path: string) => ({ params: { path: { id: path } } });

  // Projects
  const project = id(await POST("/projects", { body: { name: "Garden", color: "#22c55e", description: "Beds" } }));
  const spare = id(await POST("/projects", { body: { name: "Spare", color: "#000000" } }));
  await GET("/projects", { params: { query: { limit: 5, includeDeleted: true } } });
  await GET("/projects/{id}", at(project));
  await PUT("/projects/{id}", { ...at(project), body: { description: "Beds and trees" } });
  await DELETE("/projects/{id}", at(spare));

  // Tasks
  const first = id(
    await POST("/tasks", { body: { title: "Plant", projectId: project, dueDate: "2030-05-01", tags: ["spring"] } }),
  );
  const second = id(await POST("/tasks", { body: { text: "Water every 2 days #spring !high", language: "en-US" } }));
  const third = id(await POST("/tasks", { body: { title: "Dig", parentId: first, priority: 3 } }));
  await GET("/tasks", { params: { query: { status: ["todo", "blocked"], filter: "#spring", limit: 10 } } });
  await GET("/tasks/{id}", at(first));
  await PUT("/tasks/{id}", { ...at(first), body: { description: "Two rows", dueTime: "09:00" } });
  await GET("/tasks/counts");
  await GET("/tasks/agenda", { params: { query: { limit: 3 } } });
  await GET("/tasks/groups", { params: { query: { by: "priority", filter: "status:open" } } });
  await GET("/tasks/tags", { params: { query: { limit: 10 } } });
  await GET("/tasks/mentionable");
  await GET("/tasks/parties");
  await POST("/tasks/import", { body: { format: "markdown", content: "- [ ] Prune #spring" } });
  await POST("/tasks/{id}/move", { ...at(second), body: { afterId: first } });
  await GET("/tasks/{id}/details", at(first));
  await GET("/tasks/{id}/sessions", at(first));
  await POST("/tasks/{id}/skip", { ...at(second), body: {} });

  // Parts, order and links
  const list = await POST("/tasks/{id}/checklist", { ...at(first), body: { add: ["Spade", "Seeds"] } });
  await GET("/tasks/{id}/checklist", at(first));
  const item = list.data?.data[0]?.id ?? "";
  await POST("/tasks/{id}/checklist/convert", { ...at(first), body: { itemIds: [item] } });
  await PUT("/tasks/{id}/blockers", { ...at(second), body: { blockedBy: [third] } });
  await GET("/tasks/{id}/blockers", at(third));
  await POST("/tasks/{id}/links", { ...at(first), body: { add: [{ kind: "relatesTo", id: second }] } });
  await GET("/tasks/linked", { params: { query: { kind: "session", targetId: "none" } } });

  // Comments and history
  const comment = id(await POST("/tasks/{id}/comments", { ...at(first), body: { text: "Which *rows*?" } }));
  const commentAt = { params: { path: { id: first, commentId: comment } } };
  await PUT("/tasks/{id}/comments/{commentId}", { ...commentAt, body: { text: "Which rows?" } });
  await DELETE("/tasks/{id}/comments/{commentId}", commentAt);
  const activity = await GET("/tasks/{id}/activity", { params: { path: { id: first }, query: { only: "changes" } } });
  const change =
    activity.data?.data.find(
      (entry) => entry.kind === "change" && entry.changes.some(({ field }) => field === "description"),
    )?.id ?? "";
  const changeAt = { params: { path: { id: first, changeId: change } } };
  await GET("/tasks/{id}/changes/{changeId}", changeAt);
  await POST("/tasks/{id}/changes/{changeId}/undo", changeAt);

  // Reminders
  await PUT("/settings/reminders", { body: { minutesBefore: 30, dayTime: "09:00", timezone: "Europe/Berlin" } });
  await GET("/settings/reminders");
  const reminders = await POST("/tasks/{id}/reminders", { ...at(first), body: { minutesBefore: 10 } });
  await GET("/tasks/{id}/reminders", at(first));
  const reminderId = reminders.data?.data[0]?.id ?? "";
  await DELETE("/tasks/{id}/reminders/{reminderId}", { params: { path: { id: first, reminderId } } });
  await GET("/tasks/reminders/unseen");
  await POST("/tasks/reminders/seen", { body: { ids: [reminderId] } });
  await PUT("/settings/calendar", { body: { timeZone: "Europe/Berlin", firstWeekday: 1 } });
  await GET("/settings/calendar");

  // The queue
  await GET("/tasks/ready", { params: { query: { projectId: project, limit: 5 } } });
  const claim = async () => {
    const claimed = await POST("/tasks/claim", { body: { id: third, leaseMinutes: 5 } });
    return claimed.data?.data?.claimId ?? "";
  };
  const claimId = await claim();
  await POST("/tasks/{id}/renew", { ...at(third), body: { claimId, leaseMinutes: 10 } });
  await POST("/tasks/{id}/release", { ...at(third), body: { claimId, note: "Not today" } });
  await POST("/tasks/{id}/hand-over", { ...at(third), body: { to: null, claimId: await claim(), note: "Yours" } });
  await DELETE("/tasks/{id}", at(second));
  await POST("/tasks/{id}/restore", { ...at(second), body: {} });

  // Notes, in a folder of their own
  const folder = crypto.randomUUID();
  const [plan, template] = [`${folder}/Plan.md`, `${folder}/Templates/Day.md`];
  await POST("/notes/create", { body: { path: plan, content: "# Plan\n\nSow peas.\n" } });
  await POST("/notes/create", { body: { path: template, content: "# {{title}}\n" } });
  await POST("/notes/append", { body: { path: plan, text: "- beans" } });
  await POST("/notes/edit", { body: { path: plan, edits: [{ oldText: "peas", newText: "kale" }] } });
  await POST("/notes/read", { body: { path: plan, fromLine: 1, lineCount: 2 } });
  await POST("/notes/move", { body: { path: plan, newPath: `${folder}/Garden.md` } });
  await POST("/notes/templates/fill", { body: { template: template, title: "Spring" } });
  const settings = {
    dailyFolder: `${folder}/Days`,
    dailyName: "YYYY-MM-DD",
    dailyTemplate: template,
    templateFolder: `${folder}/Templates`,
    folderTemplates: [],
  };
  await PUT("/notes/settings", { body: settings });
  await GET("/notes/settings");
  await GET("/notes/daily", { params: { query: { date: "2030-05-01" } } });
  await POST("/notes/daily", { body: { date: "2030-05-01" } });
  await POST("/notes/daily/append", { body: { date: "2030-05-01", text: "- sunny" } });

  // Search
  await GET("/search", { params: { query: { q: "plan", kinds: ["task", "document"], limit: 10 } } });

  // @ts-expect-error The document defines the valid statuses.
  await PUT("/tasks/{id}", { ...at(first), body: { status: "open" } }).catch(() => undefined);
  received.pop();
  return received;
}
