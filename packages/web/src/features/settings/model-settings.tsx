import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { ModelChoices } from "./model-choices.tsx";
import { toDocument, toDraft, type ModelSettings as Settings } from "./model-draft.ts";
import { ModelEndpoints } from "./model-endpoints.tsx";
import { ModelPrices } from "./model-prices.tsx";
import { useModelTests } from "./use-model-tests.ts";

/** Which models are used for what, with their endpoints, keys and prices, and what a day may cost. */
export default function ModelSettings() {
  const client = useClient();
  const query = useQuery({ ...trpc(client).modelSettings.get.queryOptions(), select: ({ data }) => data });
  return (
    <LoadedSettings query={query}>
      {/* A newer version resets the form. */}
      {(settings) => <SettingsForm key={settings.version} settings={settings} />}
    </LoadedSettings>
  );
}

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const client = useClient();
  const [draft, setDraft] = useState(() => toDraft(settings));
  const tests = useModelTests();
  const { error, isBusy, submit } = useSubmit(true, async () => {
    const response = await client.api.modelSettings.set.mutate(toDocument(draft, settings.version));
    client.queries.setQueryData(trpc(client).modelSettings.get.queryKey(), response);
    toasts(client).show({ message: "The models have been saved" });
  });
  const { environment } = settings;
  return (
    <form aria-labelledby="models" className="flex flex-col gap-6" onSubmit={submit}>
      <header className="flex flex-col gap-1">
        <h2 id="models" className="text-16 font-semibold text-strong">
          Models
        </h2>
        <p className="text-pretty text-normal">
          Chat, agents and memory use any endpoint that speaks OpenAI’s protocol. What you choose is used from the next
          call on, without a restart.
        </p>
      </header>
      {environment.model !== null && (
        <FormAlert tone="info">
          The server’s environment sets <code className="font-mono">OPENAI_MODEL</code> to {environment.model}. It is
          used for chat, agents and extraction, whatever you choose here.
        </FormAlert>
      )}
      <ModelEndpoints draft={draft} tests={tests} onChange={setDraft} />
      {draft.endpoints.length > 0 && (
        <ModelChoices draft={draft} environment={environment} tests={tests} onChange={setDraft} />
      )}
      <ModelPrices draft={draft} environment={environment} onChange={setDraft} />
      {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
      <Button type="submit" tone="primary" className="self-end" isBusy={isBusy}>
        Save models
      </Button>
    </form>
  );
}
