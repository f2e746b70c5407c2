import { PACKS, SAFE_PACK, describePack } from "@workspace/hooks-cli/policy-draft";
import { Select } from "../../components/field.tsx";
import { toggled } from "../../lists/choices.ts";
import type { PolicyDraft } from "./policy-document.ts";

const DECISIONS = { ask: "Ask", deny: "Refuse", undo: "Allow if undoable", warn: "Warn", off: "Off" };

const DESCRIBED_PACKS = [SAFE_PACK, ...PACKS].map((pack) => ({ ...pack, ...describePack(pack.id) }));

/** Packs to switch on, and what happens for each of their rules. */
export function PolicyPacks({
  draft,
  onChange,
}: {
  draft: PolicyDraft;
  onChange: (change: Pick<PolicyDraft, "packs" | "decisions">) => void;
}) {
  const { packs, decisions } = draft;
  const decide = (id: string, decision: string) => {
    const { [id]: _before, ...others } = decisions;
    onChange({ packs, decisions: decision === "" ? others : { ...others, [id]: decision } });
  };
  const isSafeOn = packs.includes(SAFE_PACK.id);
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-2 text-14 font-semibold text-strong">
        Packs: what commands must not do without asking
      </legend>
      {DESCRIBED_PACKS.map(({ id, title, protects, rules }) => (
        <div key={id} className="flex flex-col">
          <label className="flex min-h-9 items-center gap-3 rounded-control px-2 py-1 hover:bg-hover touch:min-h-11">
            <input
              type="checkbox"
              className="checkbox"
              checked={packs.includes(id)}
              onChange={() => onChange({ packs: toggled(packs, id), decisions })}
            />
            <span className="w-36 shrink-0 text-strong max-md:w-28">{title}</span>
            <span className="min-w-0 flex-1 text-muted">{protects}</span>
          </label>
          {id !== SAFE_PACK.id && (
            <details className="ml-9">
              <summary className="cursor-pointer py-1 text-12 text-muted touch:py-3">
                Rules of {title} ({rules.length})
              </summary>
              <ul className="flex flex-col gap-1 pb-2">
                {rules.map((rule) => {
                  const isOn = packs.includes(id) || (isSafeOn && rule.isSafe);
                  return (
                    <li
                      key={rule.id}
                      className="flex items-center gap-3 max-md:flex-col max-md:items-start max-md:gap-1"
                    >
                      <span className="min-w-0 flex-1 text-normal">{rule.reason}</span>
                      <Select
                        aria-label={`What happens: ${rule.reason}`}
                        value={decisions[rule.id] ?? ""}
                        onChange={(event) => decide(rule.id, event.target.value)}
                      >
                        <option value="">{isOn ? `${DECISIONS[rule.decision]} (default)` : "Off (default)"}</option>
                        {Object.entries(DECISIONS).map(([decision, label]) => (
                          <option key={decision} value={decision}>
                            {label}
                          </option>
                        ))}
                      </Select>
                    </li>
                  );
                })}
              </ul>
            </details>
          )}
        </div>
      ))}
    </fieldset>
  );
}
