/** Gets what is read, and then once that nothing more comes; a pipe that fails has ended. */
export interface PipeReader {
  onBytes(bytes: Buffer): void;
  onEnd(): void;
}

/** Ends the reading; after it, nothing is told any more. */
export type StopReading = () => void;

/**
 * Reads the pipe or socket at descriptor 0. A plain `fs.read` would do, but a read of a pipe that never ends keeps the
 * process from exiting; this does not.
 */
export function readInputPipe(reader: PipeReader): StopReading {
  return readByHandle(reader) ?? readBySocket(reader);
}

/** The part of Node's own handle of a pipe that is used here. */
interface PipeHandle {
  onread: (bytes?: ArrayBuffer) => void;
  /** Below zero, or thrown, where it cannot be done; older versions answer nothing. */
  open(descriptor: number): number | undefined;
  readStart(): number;
  close(): void;
}

interface NodeBindings {
  binding(name: "pipe_wrap"): { Pipe: new (type: number) => PipeHandle; constants: { SOCKET: number } };
  binding(name: "stream_wrap"): { streamBaseState: Int32Array; kReadBytesOrError: number };
}

/**
 * By the handle that `node:net` itself reads with. Loading `node:net` takes as long as all else that a hook does, and there
 * is no other way to such a handle than the deprecated `process.binding` (DEP0111). Undefined where this version of Node does
 * not have it as it is known from 20 to 25.
 */
function readByHandle(reader: PipeReader): StopReading | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Deprecated, and so without types.
    const node = process as unknown as NodeBindings;
    const { Pipe, constants } = node.binding("pipe_wrap");
    const { streamBaseState, kReadBytesOrError } = node.binding("stream_wrap");
    if (streamBaseState[kReadBytesOrError] === undefined) return undefined;
    const pipe = new Pipe(constants.SOCKET);
    pipe.onread = (bytes) => {
      const count = streamBaseState[kReadBytesOrError] ?? -1;
      if (count > 0 && bytes !== undefined) reader.onBytes(Buffer.from(bytes));
      else if (count < 0) reader.onEnd();
    };
    if ((pipe.open(0) ?? 0) < 0 || pipe.readStart() < 0) return undefined;
    return () => pipe.close();
  } catch {
    return undefined;
  }
}

function readBySocket(reader: PipeReader): StopReading {
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
