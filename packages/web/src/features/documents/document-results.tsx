import { useMemo } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { Entry, Group } from "../palette/palette-parts.tsx";
import { documentCollection } from "./document-collection.ts";
import { useShowDocument } from "./document-url.ts";
import { FileIcon } from "./file-icon.tsx";
import { useDocumentSearch } from "./use-document-search.ts";
import { parentOf } from "./vault-path.ts";

const LIMIT = 8;

interface DocumentResultsProps {
  readonly query: string;
  run(action: () => void): void;
}

/** The documents that match the palette's query, with excerpts around the matches. */
export function DocumentResults({ query, run }: DocumentResultsProps) {
  const client = useClient();
  const rows = useCollection(documentCollection(client));
  const known = useMemo(() => [...rows.values()].filter(({ deletedAt }) => deletedAt === null), [rows]);
  const { hits, error } = useDocumentSearch(query, known, LIMIT);
  const open = useShowDocument();
  const searchFailure = error !== null && (
    <p className="px-2 py-2 text-13 text-muted">The contents of documents could not be searched.</p>
  );
  if (hits.length === 0) return searchFailure;
  return (
    <>
      <Group heading="Documents">
        {hits.map((hit) => (
          <Entry
            key={hit.id}
            value={`document-${hit.id}`}
            icon={<FileIcon file={hit} />}
            hint={parentOf(hit.path)}
            note={hit.excerpt}
            onSelect={() => run(() => open(hit.id))}
          >
            {hit.title}
          </Entry>
        ))}
      </Group>
      {searchFailure}
    </>
  );
}
