import { Plus } from "lucide-react";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { parseAmount } from "./credit.ts";

const DEFAULT_AMOUNT = "500";

/** Adds credits to the pool. One credit is a US cent of model cost. */
export function TopUpForm() {
  const client = useClient();
  const [text, setText] = useState(DEFAULT_AMOUNT);
  const [note, setNote] = useState("");
  const amount = parseAmount(text);

  const { error, isBusy, submit } = useSubmit(amount !== undefined, async () => {
    if (amount === undefined) return;
    const answer = await client.api.credits.topUp.mutate({ amount, note: note.trim() === "" ? null : note.trim() });
    client.queries.setQueryData(trpc(client).credits.get.queryKey(), answer);
    void client.queries.invalidateQueries({ queryKey: [["credits", "entries"]] });
    setText(DEFAULT_AMOUNT);
    setNote("");
  });
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">Nothing was added. {error}</FormAlert>}
      <div className="flex flex-wrap items-start gap-3">
        <div className="w-28">
          <InputField
            label="Credits"
            error={amount === undefined && text !== "" ? "Enter a whole number from 1 to 1,000,000." : undefined}
            inputMode="numeric"
            value={text}
            className="tabular w-full"
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <div className="min-w-40 flex-1 md:max-w-80">
          <InputField
            label="Note"
            maxLength={200}
            placeholder="Optional"
            value={note}
            className="w-full"
            onChange={(event) => setNote(event.target.value)}
          />
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
        One credit is one US cent of model cost, rounded up for each call. At zero, questions are refused before they
        cost anything.
      </p>
    </form>
  );
}
