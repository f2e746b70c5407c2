import { useQuery } from "@tanstack/react-query";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Select } from "../../components/field.tsx";
import { toasts } from "../../components/toast.ts";

const PERIODS = [
  { value: "0", label: "Keep at once" },
  { value: "1", label: "Keep after a day" },
  { value: "7", label: "Keep after 7 days" },
  { value: "30", label: "Keep after 30 days" },
  { value: "never", label: "Never keep unreviewed" },
] as const;

/** After how long a memory is kept although nobody has reviewed it. */
export default function ReviewPeriod() {
  const client = useClient();
  const { data } = useQuery({
    ...client.trpc.memory.getReviewSettings.queryOptions(),
    select: (response) => response.data,
  });
  if (data === undefined) return null;
  const current = data.keepAfterDays === null ? "never" : String(data.keepAfterDays);
  const isOther = !PERIODS.some(({ value }) => value === current);
  const change = async (value: string) => {
    try {
      const keepAfterDays = value === "never" ? null : Number(value);
      const response = await client.api.memory.setReviewSettings.mutate({ keepAfterDays });
      client.queries.setQueryData(client.trpc.memory.getReviewSettings.queryKey(), response);
      await client.queries.invalidateQueries({ queryKey: ["memory"] });
    } catch (error) {
      toasts(client).show({
        message: "Could not change the setting",
        detail: toRequestError(error).message,
        tone: "danger",
      });
    }
  };
  return (
    <Select
      aria-label="Memories without review"
      className="h-(--control-height-small) shrink-0 text-13"
      value={current}
      onChange={({ target }) => void change(target.value)}
    >
      {isOther && <option value={current}>{`Keep after ${current} days`}</option>}
      {PERIODS.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  );
}
