import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

async function write(path: string, content: string): Promise<string> {
  await api("POST", "/api/fs/write", { body: { path, content } });
  return (await api("POST", "/api/documents/by-path", { body: { path } })).body.data.document.id;
}

async function graph(id: string, query: string): Promise<any> {
  const { nodes, edges, isCut } = (await api("GET", `/api/documents/${id}/graph?${query}`)).body.data;
  const names = new Map<string, string>(nodes.map((node: any) => [node.id, node.title]));
  return {
    nodes: nodes.map(({ title, distance }: any) => `${title} ${distance}`),
    edges: edges.map(({ from, to }: any) => `${names.get(from)} > ${names.get(to)}`).toSorted(),
    isCut,
  };
}

test("the links around a note are followed in both directions, as far as asked", async () => {
  const a = await write("/a.md", "[[b]] [[c]] [[none]] [[a]]");
  await write("/b.md", "[[c]]");
  await write("/c.md", "");
  await write("/d.md", "[[a]]");
  await write("/e.md", "[[d]] [[f]]");
  await write("/f.md", "");
  const near = ["a > b", "a > c", "b > c", "d > a"];
  expect(await graph(a, "depth=1")).toEqual({ nodes: ["a 0", "b 1", "c 1", "d 1"], edges: near, isCut: false });
  expect(await graph(a, "depth=2")).toEqual({
    nodes: ["a 0", "b 1", "c 1", "d 1", "e 2"],
    edges: [...near, "e > d"],
    isCut: false,
  });
  expect((await graph(a, "depth=3")).nodes).toEqual(["a 0", "b 1", "c 1", "d 1", "e 2", "f 3"]);
});

test("a note with many links shows some of them, and says so", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `many${index}`);
  for (const name of names) await write(`/${name}.md`, "");
  const hub = await write("/hub.md", names.map((name) => `[[${name}]]`).join(" "));
  const { nodes, edges, isCut } = await graph(hub, "limit=10");
  expect([nodes.length, edges.length, isCut]).toEqual([10, 9, true]);
  expect((await graph(hub, "")).isCut).toBe(false);
  expect((await api("GET", `/api/documents/${hub}/graph?depth=4`)).status).toBe(400);
  expect((await api("GET", "/api/documents/nothing/graph")).status).toBe(404);
});
