import type { PageUser } from "../api/page-user.ts";
import { readStored, storedKeys, useStored, writeStored } from "../browser/stored-value.ts";
import { clientPart } from "../client/client-part.ts";
import { useClient } from "../client/use-client.ts";

const PREFIX = "draft.";

/** Where earlier releases kept what was typed, without saying whose it is. */
const FORMER = [
  [PREFIX, ""],
  ["chat.outbox", "chat.outbox"],
  ["documents.day-text.", "day-text."],
] as const;

/** What the user of this page has typed and the server does not have yet. */
export const drafts = clientPart(({ pageUser }) => new Drafts(pageUser));

/**
 * Text being typed, kept in this browser until it is saved: it survives a reload, a crash and the end of the session. It is of the
 * user of the page, and nobody else who signs in here sees or saves it. Keys name what is being edited:
 * `task.<id>.title`.
 */
export class Drafts {
  readonly #pageUser: Pick<PageUser, "id">;
  #isAdopted = false;

  constructor(pageUser: Pick<PageUser, "id">) {
    this.#pageUser = pageUser;
  }

  /** The id of the user whose drafts these are; empty until somebody is signed in. */
  get owner(): string {
    const { id } = this.#pageUser;
    if (id !== undefined && !this.#isAdopted) {
      this.#isAdopted = true;
      this.#adoptFormer();
    }
    return id ?? "";
  }

  /** Under which name this browser stores a draft. */
  nameOf(key: string): string {
    return `${PREFIX}${key}@${this.owner}`;
  }

  /** The draft; null if there is none. */
  read(key: string): string | null {
    return readStored(this.nameOf(key));
  }

  write(key: string, text: string | null): void {
    writeStored(this.nameOf(key), text);
  }

  /** The keys of all drafts with this prefix. */
  keys(prefix: string): string[] {
    const ending = `@${this.owner}`;
    return storedKeys(PREFIX + prefix)
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(PREFIX.length, -ending.length));
  }

  #adoptFormer(): void {
    for (const [prefix, begin] of FORMER) {
      for (const name of storedKeys(prefix).filter((former) => !former.includes("@"))) {
        this.write(begin + name.slice(prefix.length), readStored(name));
        writeStored(name, null);
      }
    }
  }
}

/** A draft as state; null if there is none. */
export function useDraft(key: string): [string | null, (text: string | null) => void] {
  return useStored(drafts(useClient()).nameOf(key));
}
