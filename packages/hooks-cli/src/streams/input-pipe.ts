import { type StopStream, type StreamReader, readByHandle } from "./stream-handle.ts";

/**
 * Reads the pipe or socket at descriptor 0. A plain `fs.read` would do, but a read of a pipe that never ends keeps the
 * process from exiting; this does not.
 */
export function readInputPipe(reader: StreamReader): StopStream {
  return readByHandle(0, reader) ?? readBySocket(reader);
}

function readBySocket(reader: StreamReader): StopStream {
  const { Socket } = process.getBuiltinModule("node:net");
  const socket = new Socket({ fd: 0, readable: true, writable: false });
  socket.on("data", (bytes) => reader.onBytes(bytes));
  socket.on("end", () => reader.onEnd());
  socket.on("error", () => reader.onEnd());
  return () => {
    socket.removeAllListeners();
    socket.on("error", () => undefined);
    socket.destroy();
  };
}
