import { useRouterState } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { useCollection } from "../../../api/use-collection.ts";
import { useStore } from "../../../client/store.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { documentCollection } from "../document-collection.ts";
import { useShowDocument } from "../document-url.ts";
import { shownName } from "../document.ts";
import { unmergedTexts } from "./unmerged-texts.ts";

/** Says on every other page than that of the documents, which lists them, what the user has to merge. */
export default function UnmergedTextsNotice() {
  const client = useClient();
  const show = useShowDocument();
  const ids = useStore(unmergedTexts(client).ids);
  const documents = useCollection(documentCollection(client));
  const isListed = useRouterState({ select: ({ location }) => location.pathname === "/documents" });
  const [first, ...others] = [...ids].flatMap((id) => documents.get(id) ?? []).filter((row) => row.deletedAt === null);
  if (first === undefined || isListed) return null;
  return (
    <div
      role="alert"
      className="animate-fade flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-danger/8 px-4 py-1.5 text-13 text-strong"
    >
      <CircleAlert aria-hidden size={16} className="shrink-0 text-danger" />
      <p className="min-w-60 flex-1 [overflow-wrap:anywhere] max-md:basis-[85%]">
        <span className="font-medium">What you wrote in “{shownName(first.path)}” is not saved.</span> The same lines
        were changed elsewhere, too.
        {others.length > 0 && ` ${others.length.toLocaleString("en")} more.`}
      </p>
      <Button size="small" onClick={() => show(first.id)}>
        Merge
      </Button>
    </div>
  );
}
