import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { OptionList } from "../../components/option-list.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import type { ModelChoice } from "./conversation-log.ts";

interface ModelOptionsProps {
  readonly chosen: ModelChoice | null;
  readonly onChoose: (model: ModelChoice | null) => void;
}

const DEFAULT = "";
const keyOf = ({ endpoint, model }: ModelChoice) => JSON.stringify([endpoint, model]);

/** The models that endpoints offer, to choose from by typing. */
export default function ModelOptions({ chosen, onChoose }: ModelOptionsProps) {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    ...trpc(client).conversations.models.queryOptions(),
    select: (response) => response.data,
  });
  if (error !== null)
    return <ErrorState title="The models could not be listed" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows />;
  const isOne = data.endpoints.length < 2;
  const choices = data.endpoints.flatMap(({ endpoint, name, models }) =>
    models.map(({ model, isPriceKnown }) => ({
      choice: { endpoint, model },
      label: `${model}${isOne ? "" : ` · ${name}`}${isPriceKnown ? "" : " · price unknown"}`,
    })),
  );
  const problems = data.endpoints.filter(({ problem }) => problem !== null);
  return (
    <>
      <OptionList
        label="Choose a model"
        options={[
          { value: DEFAULT, label: `As in the settings${data.default === null ? "" : ` (${data.default})`}` },
          ...choices.map(({ choice, label }) => ({ value: keyOf(choice), label })),
        ]}
        chosen={new Set([chosen === null ? DEFAULT : keyOf(chosen)])}
        onPick={(key) => onChoose(choices.find(({ choice }) => keyOf(choice) === key)?.choice ?? null)}
      />
      {problems.map(({ endpoint, name, problem }) => (
        <p key={endpoint} className="max-w-60 border-t border-border px-3 py-2 text-12 text-muted">
          {name}: {problem}
        </p>
      ))}
    </>
  );
}
