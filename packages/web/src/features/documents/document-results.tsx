import { useMemo } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { Entry, Group } from "../palette/palette-parts.tsx";
import { documentCollection } from "./document-collection.ts";
import { useShowDocument } from "./documents-address.ts";
import { FileIcon } from "./file-icon.tsx";
import { useDocumentSearch } from "./use-document-search.ts";
import { parentOf } from "./vault-path.ts";

const LIMIT = 8;

interface DocumentResultsProps {
  readonly query: string;
  run(action: () => void): void;
}

/** The documents that the palette finds, with the words around what was searched for. */
export function DocumentResults({ query, run }: DocumentResultsProps) {
  const rows = useCollection(documentCollection);
  const known = useMemo(() => [...rows.values()].filter(({ deletedAt }) => deletedAt === null), [rows]);
  const { hits } = useDocumentSearch(query, known, LIMIT);
  const open = useShowDocument();
  if (hits.length === 0) return null;
  return (
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
  );
}
