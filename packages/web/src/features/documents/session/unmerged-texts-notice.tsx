import { useRouterState } from "@tanstack/react-router";
import { useCollection } from "../../../api/use-collection.ts";
import { useStore } from "../../../client/store.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { ProblemBanner } from "../../../components/problem-banner.tsx";
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
    <ProblemBanner
      title={`What you wrote in “${shownName(first.path)}” is not saved.`}
      actions={
        <Button size="small" onClick={() => show(first.id)}>
          Merge
        </Button>
      }
    >
      The same lines were changed elsewhere, too.
      {others.length > 0 && ` ${others.length.toLocaleString("en")} more.`}
    </ProblemBanner>
  );
}
