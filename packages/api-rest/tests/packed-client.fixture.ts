/** A program as a developer writes it with the installed package. */
import { createWorkspaceClient, eachItem, type Schemas } from "@workspace/client";

/** Creates tasks, reads them page by page, and returns what it received. */
export async function doARoundOfWork(url: string, key: string) {
  const workspace = createWorkspaceClient({ url, key });
  const titles = ["one", "two", "three"];
  for (const title of titles) {
    const { data, error } = await workspace.POST("/tasks", { body: { title } });
    if (error !== undefined) throw new Error(error.message);
    const created: Schemas["Task"] = data.data;
    if (created.title !== title) throw new Error("It has another title.");
  }
  const listed: string[] = [];
  const query = { status: ["todo" as const], limit: 2 };
  for await (const task of eachItem((cursor) => workspace.GET("/tasks", { params: { query: { ...query, cursor } } })))
    listed.push(task.title);

  // @ts-expect-error The document defines the valid statuses.
  const refused = await workspace.POST("/tasks", { body: { title: "x", status: "open" } });

  const headers = { "Idempotency-Key": "mine" };
  const first = await workspace.POST("/tasks", { body: { title: "once" }, headers });
  const second = await workspace.POST("/tasks", { body: { title: "once" }, headers });
  return {
    listed,
    refusal: refused.error?.issues?.map((issue) => issue.path),
    isSame: first.data?.data.id === second.data?.data.id,
    isReplayed: second.response.headers.get("Idempotency-Replayed"),
  };
}
