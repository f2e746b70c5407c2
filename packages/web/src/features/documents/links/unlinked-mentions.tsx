import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toRequestError } from "../../../api/request-error.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { toasts } from "../../../components/toast.ts";
import { pluralize } from "../../../numbers/number-format.ts";
import { mentionsQuery } from "../document-queries.ts";
import type { Document, DocumentMention } from "../document.ts";
import { useShowDocument } from "../document-url.ts";
import { openSessions } from "../session/open-sessions.ts";

/** Notes that mention a document without linking to it, each with a button that makes the mentions links. */
export function UnlinkedMentions({ document }: { readonly document: Document }) {
  const client = useClient();
  const { data } = useQuery(mentionsQuery(client, document));
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-label="Unlinked mentions">
      <h2 className="px-2 pb-1 text-12 font-medium text-muted">
        Unlinked mentions <span className="tabular">{data.length}</span>
      </h2>
      {data.map((mention) => (
        <MentionRow key={mention.id} document={document} mention={mention} />
      ))}
    </section>
  );
}

function MentionRow({ document, mention }: { readonly document: Document; readonly mention: DocumentMention }) {
  const client = useClient();
  const queries = useQueryClient();
  const open = useShowDocument();
  const [isLinking, setIsLinking] = useState(false);
  const link = async () => {
    setIsLinking(true);
    try {
      await openSessions(client).flush();
      const { data } = await client.api.documents.linkMentions.mutate({ id: document.id, sourceId: mention.id });
      toasts(client).show({ message: `${pluralize(data.links, "mention")} in “${mention.title}” linked` });
    } catch (error) {
      const detail = toRequestError(error).message;
      toasts(client).show({ message: `Could not link “${mention.title}”`, detail, tone: "danger" });
    }
    setIsLinking(false);
    await queries.invalidateQueries({ queryKey: ["documents"] });
  };
  return (
    <div className="flex items-center gap-2 rounded-control px-2 py-1 hover:bg-hover">
      <button type="button" className="flex min-w-0 flex-1 flex-col text-left" onClick={() => open(mention.id)}>
        <span className="w-full truncate text-strong">{mention.title}</span>
        <span className="line-clamp-2 text-12 text-muted">{mention.excerpt}</span>
      </button>
      <Button
        size="small"
        isBusy={isLinking}
        aria-label={`Link ${pluralize(mention.count, "mention")} in ${mention.title}`}
        onClick={() => void link()}
      >
        {mention.count > 1 ? `Link ${mention.count}` : "Link"}
      </Button>
    </div>
  );
}
