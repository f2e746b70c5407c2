import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { ENDPOINT_PRESETS, OTHER_ENDPOINT } from "./endpoint-presets.ts";
import { withEndpoint, withoutEndpoint, type EndpointDraft, type ModelDraft } from "./model-draft.ts";
import { TestResult } from "./test-result.tsx";
import type { ModelTests } from "./use-model-tests.ts";

interface ModelEndpointsProps {
  readonly draft: ModelDraft;
  readonly tests: ModelTests;
  onChange(draft: ModelDraft): void;
}

/** Where models are asked, with the keys for it. */
export function ModelEndpoints({ draft, tests, onChange }: ModelEndpointsProps) {
  const { endpoints } = draft;
  const change = (changed: EndpointDraft) =>
    onChange({ ...draft, endpoints: endpoints.map((one) => (one.id === changed.id ? changed : one)) });
  return (
    <section aria-labelledby="endpoints" className="flex flex-col gap-3">
      <h3 id="endpoints" className="text-14 font-semibold text-strong">
        Endpoints
      </h3>
      {endpoints.map((endpoint) => (
        <EndpointCard
          key={endpoint.id}
          endpoint={endpoint}
          tests={tests}
          onChange={change}
          onRemove={() => onChange(withoutEndpoint(draft, endpoint.id))}
        />
      ))}
      <div role="group" aria-label="Add an endpoint" className="flex flex-wrap gap-2">
        {[...ENDPOINT_PRESETS, OTHER_ENDPOINT].map((preset) => (
          <Button
            key={preset.id}
            size="small"
            icon={<Plus aria-hidden size={14} />}
            onClick={() => onChange(withEndpoint(draft, preset))}
          >
            {preset.name}
          </Button>
        ))}
      </div>
    </section>
  );
}

interface EndpointCardProps {
  readonly endpoint: EndpointDraft;
  readonly tests: ModelTests;
  onChange(endpoint: EndpointDraft): void;
  onRemove(): void;
}

function EndpointCard({ endpoint, tests, onChange, onRemove }: EndpointCardProps) {
  const { id, name, baseUrl, hasKey, apiKey, dropsKey } = endpoint;
  const isKeyStored = hasKey && !dropsKey;
  const result = tests.resultOf(id);
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-3 rounded-panel border border-border p-4">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <InputField
            label="Name"
            className="w-full"
            required
            maxLength={100}
            value={name}
            onChange={(event) => onChange({ ...endpoint, name: event.target.value })}
          />
        </div>
        <IconButton label={`Remove ${name}`} icon={<Trash2 size={16} />} onClick={onRemove} />
      </div>
      <InputField
        label="Base URL"
        hint="With the version, such as https://api.example.com/v1. Empty for OpenAI’s own."
        className="w-full font-mono text-13"
        type="url"
        maxLength={500}
        value={baseUrl}
        onChange={(event) => onChange({ ...endpoint, baseUrl: event.target.value })}
      />
      <InputField
        label="API key"
        hint={keyHint(endpoint)}
        className="w-full font-mono text-13"
        type="password"
        autoComplete="off"
        placeholder={isKeyStored ? "••••••••••••" : ""}
        maxLength={4000}
        value={apiKey}
        onChange={(event) => onChange({ ...endpoint, apiKey: event.target.value })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" isBusy={result === null} onClick={() => tests.run(id, endpoint)}>
          Test connection
        </Button>
        {hasKey && (
          <Button size="small" tone="ghost" onClick={() => onChange({ ...endpoint, apiKey: "", dropsKey: !dropsKey })}>
            {dropsKey ? "Keep the key" : "Remove the key"}
          </Button>
        )}
        <TestResult result={result} />
      </div>
    </section>
  );
}

function keyHint({ hasKey, dropsKey, baseUrl }: EndpointDraft): string {
  if (dropsKey) return "Will be removed when you save.";
  if (hasKey) return "Stored as a secret. Leave empty to keep it.";
  const source = ENDPOINT_PRESETS.find((preset) => preset.baseUrl === baseUrl)?.keyUrl ?? null;
  return source === null ? "Stored as a secret. Leave empty if none is needed." : `Stored as a secret. From ${source}`;
}
