/** A route that changes something: its call, and the expected notification. */
export type Mutation = [route: string, run: () => Promise<unknown>, notification: string];

export interface Caller {
  call(method: string, path: string, body?: object): Promise<any>;
  /** Posts without waiting for what comes of it. */
  send(path: string, body: object): Promise<unknown>;
  /** Calls, and remembers the id of what was created. */
  make(name: string, path: string, body: object): () => Promise<void>;
  readonly made: Record<string, string>;
}
