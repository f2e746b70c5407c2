import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../components/button.tsx";
import { Input, InputField } from "../../components/field.tsx";
import type { ModelDraft, ModelSettings, PriceDraft } from "./model-draft.ts";

const COLUMNS = [
  { field: "model", label: "Model" },
  { field: "input", label: "Input" },
  { field: "cachedInput", label: "Cached input" },
  { field: "output", label: "Output" },
] as const;

interface ModelPricesProps {
  readonly draft: ModelDraft;
  readonly environment: ModelSettings["environment"];
  onChange(draft: ModelDraft): void;
}

/** What a day may cost, and what models cost that the price list does not have. */
export function ModelPrices({ draft, environment, onChange }: ModelPricesProps) {
  const { prices } = draft;
  const setPrices = (next: readonly PriceDraft[]) => onChange({ ...draft, prices: next });
  const budgetHint =
    environment.dailyBudgetUsd === null
      ? "In US dollars, for everything together. Empty for no limit."
      : `The server’s environment sets DAILY_BUDGET_USD to ${environment.dailyBudgetUsd}, whatever you enter here.`;
  return (
    <section aria-labelledby="prices" className="flex flex-col gap-3">
      <h3 id="prices" className="text-14 font-semibold text-strong">
        Costs
      </h3>
      <InputField
        label="Daily budget"
        hint={budgetHint}
        className="w-40"
        inputMode="decimal"
        value={draft.dailyBudgetUsd}
        onChange={(event) => onChange({ ...draft, dailyBudgetUsd: event.target.value })}
      />
      <p className="text-13 text-pretty text-muted">
        The prices of many models are built in. Add those of others, or your own, in US dollars per million tokens; what
        a model without a price costs is shown as unknown, and under a budget it is refused.
        {environment.pricedModels.length > 0 &&
          ` MODEL_PRICES on the server sets the prices of ${environment.pricedModels.join(", ")}.`}
      </p>
      {prices.length > 0 && (
        <div className="overflow-x-auto">
          <table className="w-full min-w-120 text-13">
            <thead>
              <tr className="text-left text-muted">
                {COLUMNS.map(({ field, label }) => (
                  <th key={field} scope="col" className="pr-2 pb-1 font-medium">
                    {label}
                  </th>
                ))}
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {prices.map((price, index) => (
                // Rows have no identity besides their place.
                <tr key={index}>
                  {COLUMNS.map(({ field, label }) => (
                    <td key={field} className="pr-2 pb-2">
                      <Input
                        aria-label={`${label}, row ${index + 1}`}
                        className="w-full"
                        inputMode={field === "model" ? "text" : "decimal"}
                        value={price[field]}
                        onChange={({ target: { value } }) =>
                          setPrices(prices.map((row, at) => (at === index ? { ...row, [field]: value } : row)))
                        }
                      />
                    </td>
                  ))}
                  <td className="pb-2">
                    <IconButton
                      label={`Remove the price of ${price.model === "" ? "this model" : price.model}`}
                      icon={<Trash2 size={16} />}
                      onClick={() => setPrices(prices.filter((_, at) => at !== index))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Button
        size="small"
        className="self-start"
        icon={<Plus aria-hidden size={14} />}
        onClick={() => setPrices([...prices, { model: "", input: "", cachedInput: "", output: "" }])}
      >
        Add a price
      </Button>
    </section>
  );
}
