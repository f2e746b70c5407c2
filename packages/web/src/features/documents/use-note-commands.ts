import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { publicUrlOf } from "../../browser/base-path.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";
import { noteSettingsQuery } from "./daily/daily-note.ts";
import { fillTemplate, templatesAmong } from "./daily/note-template.ts";
import { shownName, type Document } from "./document.ts";
import type { NoteCommands } from "./editor/note-commands.ts";
import { countTags } from "./properties/tag-form.ts";
import type { Vault } from "./vault/vault-store.ts";
import { linkTextOf } from "./links/wiki-links.ts";

/** What can be done from a note. The same object for as long as the note is shown, always with the latest data. */
export function useNoteCommands(document: Document, vault: Vault): NoteCommands {
  const client = useClient();
  const { data: settings } = useQuery(noteSettingsQuery(client));
  const latest = { document, vault, settings };
  const latestRef = useRef(latest);
  useEffect(() => {
    latestRef.current = latest;
  });
  return useMemo((): NoteCommands => {
    const now = () => latestRef.current;
    return {
      tags: () => countTags(now().vault.documents).map(({ tag }) => tag),
      templates: () => {
        const { settings: known, vault: files } = now();
        if (known === undefined) return [];
        return templatesAmong(files.documents, known).map(({ path }) => ({ path, name: shownName(path) }));
      },
      fillTemplate: async (path) => {
        try {
          const { body, cursor } = await fillTemplate(client, path, now().document.path);
          return { text: body, cursor };
        } catch (error) {
          showFailure(client, "The template could not be inserted", error);
          return null;
        }
      },
      createTask: async (title) => {
        const { document: note, vault: files } = now();
        const description = `From [[${linkTextOf(note.path, files.links)}]]`;
        const id = await createTaskQuietly(client, { title, description });
        return id === null ? null : publicUrlOf(`/tasks/${id}`);
      },
    };
  }, [client]);
}

async function createTaskQuietly(client: Client, task: { title: string; description: string }): Promise<string | null> {
  try {
    return (await client.api.tasks.create.mutate(task)).data.id;
  } catch (error) {
    showFailure(client, "The task could not be created", error);
    return null;
  }
}

function showFailure(client: Client, message: string, error: unknown): void {
  toasts(client).show({ message, detail: toRequestError(error).message, tone: "danger" });
}
