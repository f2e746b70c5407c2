import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { floating } from "../../components/floating.ts";
import { lazyPart } from "../../components/lazy-part.tsx";
import type { ModelChoice } from "./conversation-log.ts";
import { PickerPlace } from "./picker-place.tsx";

const ModelOptions = lazyPart(() => import("./model-options.tsx"));

interface ModelPickerProps {
  /** Null for the model of the settings. */
  readonly model: ModelChoice | null;
  readonly onChoose: (model: ModelChoice | null) => void;
}

/** Shows which model answers next, and lets one choose another. */
export function ModelPicker({ model, onChoose }: ModelPickerProps) {
  const client = useClient();
  const { data: settings } = useQuery({
    ...trpc(client).modelSettings.get.queryOptions(),
    select: ({ data }) => data.environment.model ?? data.chat?.model ?? null,
  });
  const shown = model?.model ?? settings ?? null;
  if (shown === null) return null;
  return (
    <button
      type="button"
      aria-label={`Model: ${shown}`}
      className="flex h-(--control-height-small) min-w-0 items-center gap-1 rounded-control px-2 text-12 text-muted hover:bg-hover hover:text-strong aria-expanded:bg-hover"
      onClick={(event) =>
        floating(client).openPopover(event.currentTarget, "Choose a model", (close) => (
          <PickerPlace>
            <ModelOptions
              chosen={model}
              onChoose={(next) => {
                close();
                onChoose(next);
              }}
            />
          </PickerPlace>
        ))
      }
    >
      <span className="truncate">{shown}</span>
      <ChevronDown aria-hidden size={14} className="shrink-0" />
    </button>
  );
}
