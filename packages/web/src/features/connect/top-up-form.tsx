import { useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState, type FormEvent } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { trpc, trpcClient } from "../../api/trpc.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FormAlert } from "../auth/form-alert.tsx";
import { parseAmount } from "./credit.ts";

const USUAL_AMOUNT = "500";

/** Adds credits to the pool. One is a US cent of what the model costs. */
export function TopUpForm() {
  const client = useQueryClient();
  const [text, setText] = useState(USUAL_AMOUNT);
  const [note, setNote] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const amount = parseAmount(text);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (amount === undefined || isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      const answer = await trpcClient.credits.topUp.mutate({ amount, note: note.trim() === "" ? null : note.trim() });
      client.setQueryData(trpc.credits.get.queryKey(), answer);
      void client.invalidateQueries({ queryKey: [["credits", "entries"]] });
      setText(USUAL_AMOUNT);
      setNote("");
    } catch (failure) {
      setError(toRequestError(failure).message);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      {error !== null && <FormAlert tone="danger">Nothing was added. {error}</FormAlert>}
      <div className="flex flex-wrap items-start gap-3">
        <div className="w-28">
          <Field
            label="Credits"
            error={amount === undefined && text !== "" ? "A whole number, 1 to 1,000,000." : undefined}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={text}
                className="tabular w-full"
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        </div>
        <div className="min-w-40 flex-1 md:max-w-80">
          <Field label="Note">
            {(control) => (
              <Input
                {...control}
                maxLength={200}
                placeholder="Optional"
                value={note}
                className="w-full"
                onChange={(event) => setNote(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button
          type="submit"
          className="mt-6.5"
          icon={<Plus aria-hidden size={16} />}
          isBusy={isBusy}
          disabled={amount === undefined}
        >
          Add credits
        </Button>
      </div>
      <p className="text-12 text-muted">
        One credit is one US cent of model cost, rounded up for each call. At zero, asking is refused before it costs.
      </p>
    </form>
  );
}
