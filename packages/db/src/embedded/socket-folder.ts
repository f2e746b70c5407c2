import { constants } from "node:fs";
import { chown, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLUSTER_PORT, type Cluster } from "./cluster.ts";

/** The folder of a cluster's socket, by the paths that its server and its clients use. */
export interface SocketFolder {
  readonly serversName: string;
  /** For `host` in a client's configuration. */
  readonly clientsName: string;
  /** Releases the descriptor or the temporary folder. Idempotent. */
  close(): Promise<void>;
}

/** The kernel's limit for the path of a socket is 107 bytes on Linux and 103 on macOS. */
const LONGEST_PATH_BYTES = 103;

const noop = (): Promise<void> => Promise.resolve();

/**
 * The socket is in the cluster's folder, which no other user can enter. If that folder's path is too long for a socket, clients
 * use this process's open descriptor of the folder on Linux; on other systems, the socket is in a private temporary folder.
 *
 * @param longestPathBytes - set by tests
 */
export async function openSocketFolder(
  { dir, owner }: Pick<Cluster, "dir" | "owner">,
  longestPathBytes = LONGEST_PATH_BYTES,
): Promise<SocketFolder> {
  const isLinux = process.platform === "linux";
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${CLUSTER_PORT}`)) <= longestPathBytes) {
    return { serversName: isLinux ? "." : dir, clientsName: dir, close: noop };
  }
  if (isLinux) {
    const handle = await open(dir, constants.O_RDONLY | constants.O_DIRECTORY);
    return { serversName: ".", clientsName: `/proc/${process.pid}/fd/${handle.fd}`, close: () => handle.close() };
  }
  const folder = await mkdtemp(join(tmpdir(), "workspace-db-"));
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  return { serversName: folder, clientsName: folder, close: () => rm(folder, { recursive: true, force: true }) };
}
