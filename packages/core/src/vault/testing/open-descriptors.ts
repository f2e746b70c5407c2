import type { FileSystemCalls } from "../file-system-calls.ts";

/** Calls that remember which descriptors are open, and what each was opened for. */
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
