import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { Field } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { replaceSecretValue } from "./secret-actions.ts";
import { SecretValueInput } from "./secret-value-input.tsx";
import type { Secret } from "./secret.ts";

interface ReplaceValueFormProps {
  readonly secret: Secret;
  readonly onDone: () => void;
}

/** Replaces the value under the same name, for example after it has been renewed at its source. */
export function ReplaceValueForm({ secret, onDone }: ReplaceValueFormProps) {
  const client = useClient();
  const [value, setValue] = useState("");
  const { error, isBusy, submit } = useSubmit(value !== "", () =>
    replaceSecretValue(client, secret, value).then(onDone),
  );
  return (
    <form className="flex flex-col gap-3" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">Not replaced. {error}</FormAlert>}
      <Field label="New value" hint="The old value cannot be recovered.">
        {(control) => <SecretValueInput control={control} hasFocus value={value} onChange={setValue} />}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" size="small" tone="primary" isBusy={isBusy} disabled={value === ""}>
          Replace the value
        </Button>
        <Button size="small" tone="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
