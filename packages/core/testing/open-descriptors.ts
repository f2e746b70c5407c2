import type { FileSystemCalls } from "../src/knowledge/vault/file-system-calls.ts";

/** Wraps calls to track which descriptors are open, and the path of each. */
export function trackDescriptors(calls: FileSystemCalls): {
  calls: FileSystemCalls;
  open: ReadonlyMap<number, string>;
} {
  const open = new Map<number, string>();
  return {
    open,
    calls: {
      ...calls,
      async open(path, flags, mode) {
        const fd = await calls.open(path, flags, mode);
        open.set(fd, path);
        return fd;
      },
      release(fd) {
        open.delete(fd);
        calls.release(fd);
      },
    },
  };
}
