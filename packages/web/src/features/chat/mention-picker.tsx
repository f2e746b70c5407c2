import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { OptionList } from "../../components/option-list.tsx";
import { RESOURCES } from "../../resources/resources.ts";
import { useDebounced } from "../palette/use-debounced.ts";
import { useShelf } from "../shelf/shelf.ts";
import type { Mention } from "./mentions.ts";

const KINDS: Mention["kind"][] = ["document", "task", "memory"];
const LIMIT = 20;
const DELAY_MS = 120;
const MAX_CHARACTERS = 1_000;
const NONE: ReadonlySet<string> = new Set();

const keyOf = ({ kind, id }: Mention) => `${kind} ${id}`;

/** Notes, tasks and memories to mention: those that were opened last, or what is found by typing. */
export default function MentionPicker({ onPick }: { readonly onPick: (mention: Mention) => void }) {
  const client = useClient();
  const [text, setText] = useState("");
  const query = useDebounced(text.trim(), DELAY_MS).slice(0, MAX_CHARACTERS);
  const recent = useShelf()?.recent ?? [];
  const { data } = useQuery({
    ...trpc(client).search.find.queryOptions({ q: query, kinds: KINDS, limit: LIMIT }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
    // What was found before may have been deleted since.
    gcTime: 0,
  });
  const found: readonly { kind: string; id: string; title: string }[] = query === "" ? recent : (data?.data ?? []);
  const mentions = found.flatMap(({ kind: given, id, title }): Mention[] => {
    const kind = KINDS.find((one) => one === given);
    return kind === undefined ? [] : [{ kind, id, title }];
  });
  return (
    <OptionList
      label="Note, task or memory"
      isFiltered
      onSearch={setText}
      options={mentions.slice(0, LIMIT).map((mention) => {
        const { icon: Icon, label } = RESOURCES[mention.kind];
        return {
          value: keyOf(mention),
          label: mention.title,
          icon: <Icon aria-label={label} size={16} className="shrink-0 text-muted" />,
        };
      })}
      chosen={NONE}
      onPick={(key) => {
        const picked = mentions.find((mention) => keyOf(mention) === key);
        if (picked !== undefined) onPick(picked);
      }}
    />
  );
}
