import { nameAtBase } from "../../../browser/base-path.ts";
import { clientPart } from "../../../client/client-part.ts";
import { Store } from "../../../client/store.ts";
import { drafts } from "../../../drafts/draft.ts";
import { documentDrafts } from "./draft-store.ts";

const CHANNEL = nameAtBase("workspace.unmerged-texts");

/** What one page tells the others of its browser. */
interface Message {
  readonly ids: readonly string[];
  /** The user whose documents they are. */
  readonly owner: string;
}

/** The documents in which others have changed the same lines as a page that does not show them any more: the user has to merge them. */
export const unmergedTexts = clientPart((client) => {
  const ids = new Store<ReadonlySet<string>>(new Set());
  const channel = new BroadcastChannel(CHANNEL);
  const announce = () => {
    const message: Message = { ids: [...ids.get()], owner: drafts(client).owner };
    channel.postMessage(message);
  };
  /** Forgets those whose text has been saved or given up. */
  const check = async () => {
    const unsaved = await documentDrafts(client).unsavedIds();
    const left = new Set([...ids.get()].filter((id) => unsaved.has(id)));
    if (left.size < ids.get().size) ids.set(left);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.owner !== drafts(client).owner) return;
    const added = data.ids.filter((id) => !ids.get().has(id));
    if (added.length > 0) ids.set(new Set([...ids.get(), ...added]));
    void check();
  });
  const stop = documentDrafts(client).onDropped(() => {
    if (ids.get().size > 0) void check().then(announce);
  });
  client.onForget(() => ids.set(new Set()));
  client.onDispose(() => {
    stop();
    channel.close();
  });
  return {
    /** Their ids. */
    ids,
    /** Adds one whose text stays in this browser as a draft. */
    add: (id: string): void => {
      if (ids.get().has(id)) return;
      ids.set(new Set([...ids.get(), id]));
      announce();
    },
  };
});
