import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";

/** A connection to the database that can be cut, or that can start to drop data silently. */
export class Cable {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isPulled = false;
  #isSilent = false;

  constructor(target: string) {
    this.#server = createServer((near) => {
      if (this.#isPulled) {
        near.destroy();
        return;
      }
      const far = createConnection(target);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => this.#sockets.delete(socket));
      }
      if (!this.#isSilent) near.pipe(far).pipe(near);
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  pull(): void {
    this.#isPulled = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Silently stops forwarding, on old and new connections. */
  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  /** Resumes forwarding for new connections; silent ones remain silent. */
  plugIn(): void {
    this.#isPulled = false;
    this.#isSilent = false;
  }

  close(): void {
    this.pull();
    this.#server.close();
  }
}
