import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Field, InputField, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import {
  newChoice,
  type ChoiceDraft,
  type EmbeddingsDraft,
  type EndpointDraft,
  type ModelDraft,
  type ModelSettings,
  type Purpose,
} from "./model-draft.ts";
import { TestResult } from "./test-result.tsx";
import type { ModelTests } from "./use-model-tests.ts";

const LABELS: Readonly<Record<Purpose, { readonly title: string; readonly none: string }>> = {
  chat: { title: "Chat", none: "None" },
  agents: { title: "Agents", none: "The model of the chat" },
  extraction: { title: "Memories from sessions", none: "The model of the chat" },
};

interface ModelChoicesProps {
  readonly draft: ModelDraft;
  readonly environment: ModelSettings["environment"];
  readonly tests: ModelTests;
  onChange(draft: ModelDraft): void;
}

/** Which model is used for what. */
export function ModelChoices({ draft, environment, tests, onChange }: ModelChoicesProps) {
  const { endpoints, choices, embeddings } = draft;
  const choose = (purpose: Purpose, choice: ChoiceDraft | null) =>
    onChange({ ...draft, choices: { ...choices, [purpose]: choice } });
  const purposes: readonly Purpose[] = choices.chat === null ? ["chat"] : ["chat", "agents", "extraction"];
  return (
    <section aria-labelledby="choices" className="flex flex-col gap-3">
      <h3 id="choices" className="text-14 font-semibold text-strong">
        What they are used for
      </h3>
      {purposes.map((purpose) => (
        <Choice
          key={purpose}
          title={LABELS[purpose].title}
          none={LABELS[purpose].none}
          choice={choices[purpose]}
          kind="chat"
          {...{ endpoints, tests }}
          onEndpoint={(endpoint) =>
            choose(purpose, endpoint === null ? null : { ...newChoice(endpoint), ...choices[purpose], endpoint })
          }
          onModel={(model) => choose(purpose, { ...(choices[purpose] ?? newChoice("")), model })}
        >
          <NumberField
            label="Longest answer, in tokens"
            value={choices[purpose]?.maxOutputTokens ?? ""}
            onChange={(maxOutputTokens) => choose(purpose, { ...(choices[purpose] ?? newChoice("")), maxOutputTokens })}
          />
        </Choice>
      ))}
      <EmbeddingsChoice
        {...{ embeddings, environment, endpoints, tests }}
        onChange={(chosen) => onChange({ ...draft, embeddings: chosen })}
      />
    </section>
  );
}

interface EmbeddingsChoiceProps {
  readonly embeddings: EmbeddingsDraft | null;
  readonly environment: ModelSettings["environment"];
  readonly endpoints: readonly EndpointDraft[];
  readonly tests: ModelTests;
  onChange(embeddings: EmbeddingsDraft | null): void;
}

function EmbeddingsChoice({ embeddings, environment, endpoints, tests, onChange }: EmbeddingsChoiceProps) {
  const EMPTY: EmbeddingsDraft = { endpoint: "", model: "", dimensions: "" };
  return (
    <>
      {environment.embeddingModel !== null && (
        <FormAlert tone="info">
          The server’s environment sets <code className="font-mono">EMBEDDINGS_MODEL</code> to{" "}
          {environment.embeddingModel}, whatever you choose here.
        </FormAlert>
      )}
      <Choice
        title="Search of memories by meaning"
        none="Off: memories are searched by their words"
        choice={embeddings}
        kind="embeddings"
        {...{ endpoints, tests }}
        onEndpoint={(endpoint) => onChange(endpoint === null ? null : { ...(embeddings ?? EMPTY), endpoint })}
        onModel={(model) => onChange({ ...(embeddings ?? EMPTY), model })}
      >
        <NumberField
          label="Length of a vector"
          hint="Empty for the model’s own"
          value={embeddings?.dimensions ?? ""}
          onChange={(dimensions) => onChange({ ...(embeddings ?? EMPTY), dimensions })}
        />
      </Choice>
    </>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly none: string;
  readonly choice: { readonly endpoint: string; readonly model: string } | null;
  readonly kind: "chat" | "embeddings";
  readonly endpoints: readonly EndpointDraft[];
  readonly tests: ModelTests;
  /** Further fields of a chosen model. */
  readonly children: ReactNode;
  /** @param endpoint Null for none. */
  onEndpoint(endpoint: string | null): void;
  onModel(model: string): void;
}

function Choice({ title, none, choice, kind, endpoints, tests, children, onEndpoint, onModel }: ChoiceProps) {
  const endpoint = endpoints.find(({ id }) => id === choice?.endpoint);
  const key = `${title} ${choice?.endpoint ?? ""} ${choice?.model ?? ""}`;
  const result = tests.resultOf(key);
  const listId = `models-${kind}-${title.replaceAll(/\W/gu, "-")}`;
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-panel border border-border p-4">
      <Field label={title}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={choice?.endpoint ?? ""}
            onChange={(event) => onEndpoint(event.target.value === "" ? null : event.target.value)}
          >
            <option value="">{none}</option>
            {endpoints.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {choice !== null && endpoint !== undefined && (
        <>
          <div className="grid gap-3 sm:grid-cols-2">
            <div className="min-w-0">
              <InputField
                label="Model"
                className="w-full font-mono text-13"
                required
                maxLength={200}
                list={listId}
                autoComplete="off"
                value={choice.model}
                onChange={(event) => onModel(event.target.value)}
              />
              <datalist id={listId}>
                {tests.modelsOf(endpoint.id).map((model) => (
                  <option key={model} value={model}>
                    {model}
                  </option>
                ))}
              </datalist>
            </div>
            {children}
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              size="small"
              isBusy={result === null}
              disabled={choice.model.trim() === ""}
              onClick={() => tests.run(key, endpoint, { kind, model: choice.model.trim() })}
            >
              Test the model<span className="sr-only"> for {title}</span>
            </Button>
            <TestResult result={result} />
          </div>
        </>
      )}
    </section>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  onChange(value: string): void;
}

function NumberField({ label, hint, value, onChange }: NumberFieldProps) {
  return (
    <InputField
      label={label}
      hint={hint}
      className="w-full"
      inputMode="numeric"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
