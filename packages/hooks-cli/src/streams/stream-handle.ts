/** Gets what is read, and then once that nothing more comes: with the system's error number where that is for an error. */
export interface StreamReader {
  onBytes(bytes: Buffer): void;
  onEnd(error?: number): void;
}

export interface Peer extends StreamReader {
  /** There is no connection. */
  onRefused(error: number): void;
  /** All has left this machine. */
  onSent(): void;
}

/** Ends everything. May be called twice; what was under way may still be told, as failed. */
export type StopStream = () => void;

/** A handle of Node's own. Its methods answer a number below zero, or throw, where they cannot. */
interface StreamHandle {
  onread: (bytes?: ArrayBuffer) => void;
  readStart(): number;
  writeBuffer(request: HandleRequest, bytes: Uint8Array): number;
  close(): void;
}

interface PipeHandle extends StreamHandle {
  /** Older versions answer nothing. */
  open(descriptor: number): number | undefined;
}

interface TcpHandle extends StreamHandle {
  connect(request: HandleRequest, host: string, port: number): number;
  connect6(request: HandleRequest, host: string, port: number): number;
}

interface HandleRequest {
  oncomplete: (status: number) => void;
  /** Keeps what is being written from being collected. */
  buffer?: Uint8Array;
}

interface Bindings {
  binding(name: "pipe_wrap"): { Pipe: new (type: number) => PipeHandle; constants: { SOCKET: number } };
  binding(name: "tcp_wrap"): {
    TCP: new (type: number) => TcpHandle;
    TCPConnectWrap: new () => HandleRequest;
    constants: { SOCKET: number };
  };
  binding(name: "stream_wrap"): {
    WriteWrap: new () => HandleRequest;
    streamBaseState: Int32Array;
    kReadBytesOrError: number;
    kLastWriteWasAsync: number;
  };
}

/**
 * Where Node keeps the handles of pipes and connections that `node:net` is made of. Loading `node:net` takes a hook as long
 * as all else that it does, and there is no other way to a handle than the deprecated `process.binding` (DEP0111). They are
 * alike from Node 20 to 25; where one is missing or another, the functions here answer undefined, and `node:net` is used.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Deprecated, and so without types.
const node = process as unknown as Bindings;

/** libuv's number for the end of a stream. */
const END = -4_095;

/** Reads an open pipe or socket. Undefined where Node does not lend its handle. */
export function readByHandle(descriptor: number, reader: StreamReader): StopStream | undefined {
  try {
    const { Pipe, constants } = node.binding("pipe_wrap");
    const pipe = new Pipe(constants.SOCKET);
    if ((pipe.open(descriptor) ?? 0) < 0 || !startReading(pipe, reader)) return undefined;
    return () => pipe.close();
  } catch {
    return undefined;
  }
}

/** Connects to an address, writes, and reads. Undefined where Node does not lend its handle, and for names of hosts. */
export function exchangeByHandle(host: string, port: number, bytes: Uint8Array, peer: Peer): StopStream | undefined {
  const isAddress6 = host.includes(":");
  if (!isAddress6 && !/^[\d.]+$/.test(host)) return undefined;
  try {
    const { TCP, TCPConnectWrap, constants } = node.binding("tcp_wrap");
    const { WriteWrap, streamBaseState, kLastWriteWasAsync } = node.binding("stream_wrap");
    const tcp = new TCP(constants.SOCKET);
    const writing = new WriteWrap();
    writing.buffer = bytes;
    writing.oncomplete = (error) => (error < 0 ? peer.onEnd(error) : peer.onSent());
    const connecting = new TCPConnectWrap();
    connecting.oncomplete = (error) => {
      if (error < 0) return peer.onRefused(error);
      if (!startReading(tcp, peer) || tcp.writeBuffer(writing, bytes) < 0) return peer.onEnd();
      if (streamBaseState[kLastWriteWasAsync] === 0) peer.onSent();
    };
    const error = isAddress6 ? tcp.connect6(connecting, host, port) : tcp.connect(connecting, host, port);
    return error < 0 ? undefined : () => tcp.close();
  } catch {
    return undefined;
  }
}

function startReading(handle: StreamHandle, reader: StreamReader): boolean {
  const { streamBaseState, kReadBytesOrError } = node.binding("stream_wrap");
  if (streamBaseState[kReadBytesOrError] === undefined) return false;
  handle.onread = (bytes) => {
    const count = streamBaseState[kReadBytesOrError] ?? END;
    if (count > 0 && bytes !== undefined) reader.onBytes(Buffer.from(bytes));
    else if (count < 0) reader.onEnd(count === END ? undefined : count);
  };
  return handle.readStart() >= 0;
}
