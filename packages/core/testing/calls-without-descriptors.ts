import { nodeFileSystemCalls, type FileSystemCalls } from "../src/knowledge/vault/file-system-calls.ts";

/** The real calls, on a system that does not expose a process's open descriptors as Linux does. */
export const callsWithoutDescriptors: FileSystemCalls = {
  ...nodeFileSystemCalls,
  async open(path, flags, mode) {
    if (path.startsWith("/proc/")) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    return nodeFileSystemCalls.open(path, flags, mode);
  },
};
