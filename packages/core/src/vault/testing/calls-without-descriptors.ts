import { nodeFileSystemCalls, type FileSystemCalls } from "../file-system-calls.ts";

/** The real calls of a system that does not show a process its open descriptors as Linux does. */
export const callsWithoutDescriptors: FileSystemCalls = {
  ...nodeFileSystemCalls,
  async open(path, flags, mode) {
    if (path.startsWith("/proc/")) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    return nodeFileSystemCalls.open(path, flags, mode);
  },
};
