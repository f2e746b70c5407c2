/** A program as a developer would write it with the client that openapi-typescript and openapi-fetch generate from our document. */
import createClient from "openapi-fetch";
import type { paths } from "./v1-api.ts";

/** Creates a task and finishes it, stores a memory, and returns what it received. */
export async function doARoundOfWork(url: string, key: string) {
  const client = createClient<paths>({ baseUrl: `${url}/api/v1`, headers: { Authorization: `Bearer ${key}` } });

  const created = await client.POST("/tasks", { body: { title: "From the generated client", priority: 3 } });
  if (created.error !== undefined) throw new Error(created.error.message);
  const { id } = created.data.data;
  const finished = await client.PUT("/tasks/{id}", { params: { path: { id } }, body: { status: "done" } });
  const listed = await client.GET("/tasks", { params: { query: { status: ["done"], limit: 5 } } });

  const stored = await client.POST("/memory", { body: { content: "Typed clients help.", chunkType: "fact" } });
  const found = await client.GET("/memory/search", { params: { query: { query: "typed" } } });
  const agents = await client.GET("/agents");
  const files = await client.GET("/knowledge");

  // @ts-expect-error The document defines the valid statuses.
  const refused = await client.POST("/tasks", { body: { title: "x", status: "open" } });

  return {
    completedAt: finished.data?.data.completedAt,
    listedIds: listed.data?.data.map((task) => task.id),
    storedStatus: stored.response.status,
    found: found.data?.data.map((memory) => memory.content),
    agents: agents.data?.data,
    files: files.data?.data,
    refusal: refused.error?.issues?.map((issue) => issue.path),
    id,
  };
}
