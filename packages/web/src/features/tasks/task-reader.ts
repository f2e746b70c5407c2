import { useEffect } from "react";
import type { CapturedPart, CapturedTask } from "@workspace/core/capture-text";
import type { Client } from "../../client/client.ts";
import { clientPart } from "../../client/client-part.ts";
import { Store, useStore } from "../../client/store.ts";
import { readFirstWeekday } from "../../dates/use-first-weekday.ts";
import type { readDue, readRepeat, readTaskText } from "./read-text.ts";
import { useClient } from "../../client/use-client.ts";

export type { CapturedPart, CapturedTask };
interface Reading {
  readonly readTaskText: typeof readTaskText;
  readonly readDue: typeof readDue;
  readonly readRepeat: typeof readRepeat;
}

/** Reads tasks, days and times from what is typed. Its code is loaded after the first screen. */
export const taskReader = clientPart((client) => new TaskReader(client));

class TaskReader {
  /** Null until it is loaded: then what is typed is only a title. */
  readonly reading = new Store<Reading | null>(null);
  readonly #client: Client;
  #loading: Promise<void> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  preload(): Promise<void> {
    if (this.#loading === undefined) void readFirstWeekday(this.#client);
    this.#loading ??= import("./read-text.ts").then(
      (reading) => this.reading.set(reading),
      () => {
        // The next use tries again.
        this.#loading = undefined;
      },
    );
    return this.#loading;
  }
}

/** The reader, or null while it is being loaded. */
export function useTaskReader(): Reading | null {
  const client: Client = useClient();
  const part = taskReader(client);
  useEffect(() => void part.preload(), [part]);
  return useStore(part.reading);
}
