import { type JudgedDraft, openDraft } from "@workspace/hooks-cli/policy-draft";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { toggled } from "../../lists/choices.ts";
import { FormAlert } from "../../components/form-alert.tsx";
import { PolicyAllowances } from "../approvals/policy-allowances.tsx";
import { PolicyPacks } from "./policy-packs.tsx";
import { PolicyReplay } from "./policy-replay.tsx";
import { PolicyRules } from "./policy-rules.tsx";
import { PolicyTest } from "./policy-test.tsx";
import {
  type PolicyDraft,
  describeIssues,
  problemOf,
  SHIPPED_RULE_IDS,
  SHIPPED_RULES,
  toDocument,
  toDraft,
} from "./policy-document.ts";

type Policy = Outputs["hooks"]["getPolicy"]["data"];

/** The rules for assistants: the server's copy of the policy, which every machine with the hooks fetches. */
export default function PolicyView() {
  const client = useClient();
  const {
    data: policy,
    error,
    refetch,
  } = useQuery({ ...trpc(client).hooks.getPolicy.queryOptions(), select: ({ data }) => data });
  if (policy === undefined) {
    if (error === null) return <SkeletonRows />;
    return <ErrorState title="The policy could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  // A newer version resets the form; what was typed is kept as a draft.
  return <PolicyForm key={policy.version} policy={policy} />;
}

function PolicyForm({ policy }: { policy: Policy }) {
  const client = useClient();
  const stored = toDraft(policy.document);
  const [used, setUsed] = useState(stored.used);
  const [chosen, setChosen] = useState<Pick<PolicyDraft, "packs" | "decisions">>(stored);
  const [typed, setTyped] = useDraft("hooks.policy.rules");
  const draft = { used, packs: chosen.packs, decisions: chosen.decisions, rulesText: typed ?? stored.rulesText };
  const structure = problemOf(draft);
  const edited = structure === undefined ? toDocument(policy.document, draft) : undefined;
  const judged = useJudgedDraft(edited && JSON.stringify(edited));
  const problem = structure ?? describeIssues(judged?.issues ?? []);
  const isChanged =
    draft.rulesText !== stored.rulesText ||
    JSON.stringify([used, draft.packs, draft.decisions]) !==
      JSON.stringify([stored.used, stored.packs, stored.decisions]);

  const { error, isBusy, submit, clearError } = useSubmit(isChanged && problem === undefined, async () => {
    const document = toDocument(policy.document, draft);
    const response = await client.api.hooks.setPolicy.mutate({ document, expectedVersion: policy.version });
    setTyped(null);
    client.queries.setQueryData(trpc(client).hooks.getPolicy.queryKey(), response);
  });
  const reset = () => {
    setUsed(stored.used);
    setChosen(stored);
    setTyped(null);
    clearError();
    void client.queries.invalidateQueries({ queryKey: trpc(client).hooks.getPolicy.queryKey() });
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <form className="mx-auto flex max-w-220 flex-col gap-6 p-4 md:p-6" onSubmit={submit}>
        <p className="text-pretty text-normal">
          The hooks check every tool call of an assistant against these rules before it runs. Machines fetch a change
          within minutes. Assistants cannot change the rules.
        </p>
        {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
        <PolicyTest draft={judged} hasProjects={draft.rulesText.includes('"project"')} />
        <PolicyPacks draft={draft} onChange={setChosen} />
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-2 text-14 font-semibold text-strong">Rules against common accidents</legend>
          {SHIPPED_RULE_IDS.map((id) => {
            const { decision, what } = SHIPPED_RULES[id];
            return (
              <label
                key={id}
                className="flex min-h-9 items-center gap-3 rounded-control px-2 hover:bg-hover touch:min-h-11"
              >
                <input
                  type="checkbox"
                  className="checkbox"
                  checked={used.includes(id)}
                  onChange={() => setUsed(toggled(used, id))}
                />
                <span className="min-w-0 flex-1 text-strong">{what}</span>
                <span className="font-mono text-12 text-muted max-md:hidden">{id}</span>
                <Badge tone={decision === "Deny" ? "danger" : "neutral"}>{decision}</Badge>
              </label>
            );
          })}
        </fieldset>
        <PolicyRules text={draft.rulesText} problem={problem} onChange={setTyped} />
        <PolicyReplay draft={judged} />
        <PolicyAllowances />
        <div className="flex items-center gap-2">
          <p className="mr-auto text-12 text-muted">
            {policy.updatedAt === null ? (
              "No policy has been set yet."
            ) : (
              <>
                Changed <TimeAgo timestamp={policy.updatedAt} />, version {policy.version}.
              </>
            )}
          </p>
          <Button tone="ghost" disabled={!isChanged && error === null} onClick={reset}>
            Discard changes
          </Button>
          <Button type="submit" tone="primary" isBusy={isBusy} disabled={!isChanged || problem !== undefined}>
            Save policy
          </Button>
        </div>
      </form>
    </div>
  );
}

/** A document that judges calls; only another text is checked again. */
function useJudgedDraft(text: string | undefined): JudgedDraft | undefined {
  return useMemo(() => (text === undefined ? undefined : openDraft(JSON.parse(text))), [text]);
}
