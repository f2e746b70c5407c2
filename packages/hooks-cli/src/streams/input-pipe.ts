export interface InputListener {
  onBytes(bytes: Buffer): void;
  /** There is no more input. */
  onEnd(): void;
}

/**
 * Reads the pipe or socket at descriptor 0 and returns a function that stops reading. Reading with `node:fs` would load
 * less, but while it waits for a pipe that is never closed, the process cannot exit.
 */
export function readInputPipe({ onBytes, onEnd }: InputListener): () => void {
  const { Socket } = process.getBuiltinModule("node:net");
  const socket = new Socket({ fd: 0, readable: true, writable: false });
  socket.on("data", onBytes);
  socket.on("end", onEnd);
  socket.on("error", onEnd);
  return () => {
    socket.removeAllListeners();
    socket.on("error", () => undefined);
    socket.destroy();
  };
}
