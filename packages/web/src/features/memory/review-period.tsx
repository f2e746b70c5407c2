import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Select } from "../../components/field.tsx";
import { pluralize } from "../../numbers/number-format.ts";
import { showingFailure } from "./memory-actions.ts";
import { MAX_LOADED, memoryCollection } from "./memory-collection.ts";
import {
  memoriesKeptBy,
  setReviewPeriod,
  type ReviewPeriod,
  type ReviewPeriodChange,
} from "./memory-review-actions.ts";

const PERIODS: readonly { days: ReviewPeriod; label: string }[] = [
  { days: null, label: "Never" },
  { days: 30, label: "After 30 days" },
  { days: 7, label: "After 7 days" },
  { days: 1, label: "After a day" },
  { days: 0, label: "At once, without a queue" },
];
const NEVER = "never";

/** The setting after how long a memory leaves the queue although nobody has reviewed it. */
export default function ReviewPeriodSetting() {
  const client = useClient();
  const id = useId();
  const [asked, setAsked] = useState<ReviewPeriodChange>();
  const { data } = useQuery({
    ...trpc(client).memory.getReviewSettings.queryOptions(),
    select: (response) => response.data,
  });
  if (data === undefined) return null;
  const from = data.keepAfterDays;
  const isOther = !PERIODS.some(({ days }) => days === from);
  const choose = (to: ReviewPeriod) => {
    const kept = memoriesKeptBy(memoryCollection(client).getSnapshot().values(), to, Date.now());
    if (kept.length > 0) setAsked({ from, to, kept });
    else void showingFailure(client, "change the setting", setReviewPeriod(client, { from, to, kept }));
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-2 text-13 text-normal max-md:px-3">
      <label htmlFor={id}>Keep memories that nobody reviews</label>
      <Select
        id={id}
        className="h-(--control-height-small) text-13"
        value={from ?? NEVER}
        onChange={({ target }) => choose(target.value === NEVER ? null : Number(target.value))}
      >
        {isOther && from !== null && <option value={from}>After {pluralize(from, "day")}</option>}
        {PERIODS.map(({ days, label }) => (
          <option key={days} value={days ?? NEVER}>
            {label}
          </option>
        ))}
      </Select>
      <span className="text-12 text-muted">Sessions are given them either way.</span>
      {asked !== undefined && (
        <KeepDialog
          change={asked}
          onConfirm={() => setReviewPeriod(client, asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

interface KeepDialogProps {
  readonly change: ReviewPeriodChange;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function KeepDialog({ change: { to, kept }, onConfirm, onClose }: KeepDialogProps) {
  const client = useClient();
  const isAll = memoryCollection(client).getSnapshot().size < MAX_LOADED;
  const what = `${isAll ? "" : "at least "}${pluralize(kept.length, "memory", "memories")}`;
  const why =
    to === 0 || to === null
      ? "The queue is emptied, and what is learnt from now on is kept without review."
      : `They have awaited review for ${pluralize(to, "day")} or longer, and leave the queue now.`;
  return (
    <ConfirmDialog
      title={`Keep ${what} unseen?`}
      description={`${why} You can undo it.`}
      confirmLabel={`Keep ${what}`}
      failure="Not changed."
      isDangerous={false}
      onConfirm={async () => {
        await onConfirm();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
