import type { APIRequestContext, APIResponse } from "playwright-core";

export interface VaultFile {
  readonly content: string;
  readonly contentHash: string;
}

/** Another program that works on the same vault. */
export interface VaultClient {
  /** Writes a file unconditionally, and returns the id of its document. */
  write(path: string, content: string): Promise<string>;
  read(path: string): Promise<VaultFile>;
  rename(oldPath: string, newPath: string): Promise<void>;
  delete(path: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  documents(): Promise<{ id: string; path: string; shared: boolean }[]>;
  /** The paths of all folders, each after those that contain it. */
  folders(): Promise<string[]>;
}

interface Folder {
  readonly path: string;
  readonly children?: readonly Folder[];
}

export function createVault(request: APIRequestContext, url: string): VaultClient {
  const post = async (route: string, data: object): Promise<APIResponse> =>
    request.post(`/api/${route}`, { data, headers: { origin: url } });
  const dataOf = async <Data>(response: APIResponse): Promise<Data> => {
    if (!response.ok()) throw new Error(`${response.url()}: ${response.status()} ${await response.text()}`);
    const { data } = (await response.json()) as { data: Data };
    return data;
  };
  return {
    write: async (path, content) => {
      await dataOf(await post("fs/write", { path, content }));
      const { document } = await dataOf<{ document: { id: string } }>(await post("documents/by-path", { path }));
      return document.id;
    },
    read: async (path) => dataOf(await post("fs/read", { path })),
    rename: async (oldPath, newPath) => dataOf(await post("fs/rename", { oldPath, newPath })),
    delete: async (path) => dataOf(await post("fs/delete", { path })),
    exists: async (path) => (await request.head(`/api/fs/raw?path=${encodeURIComponent(path)}`)).ok(),
    documents: async () => dataOf(await request.get("/api/documents")),
    folders: async () => pathsOf(await dataOf(await request.get("/api/fs/list?type=directory&recursive=true"))),
  };
}

function pathsOf(folders: readonly Folder[]): string[] {
  return folders.flatMap(({ path, children = [] }) => [path, ...pathsOf(children)]);
}

export async function documentAt(vault: VaultClient, path: string): Promise<{ id: string; shared: boolean }> {
  const document = (await vault.documents()).find((other) => other.path.replace(/^\//, "") === path);
  if (document === undefined) throw new Error(`There is no document at ${path}.`);
  return document;
}
