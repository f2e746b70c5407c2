import { Gauge } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatTimeAgo } from "../../dates/date-format.ts";
import { useNow } from "../../dates/use-now.ts";
import { describeForecast, describeOwnLimit, describeReported, describeTimes, describeUse } from "./describe-limits.ts";
import { ASSISTANT_NAMES } from "@workspace/core/assistant-names";
import { useAssistantLimits, type AssistantLimits } from "./usage-queries.ts";

const OwnLimitsDialog = lazyPart(() => import("./own-limits-dialog.tsx"));

type Limits = AssistantLimits["assistants"][number];

/** What each assistant used in the windows that subscriptions limit, and what it will have used when they end. */
export function LimitsCard() {
  const { data, error } = useAssistantLimits();
  const [isEditing, setIsEditing] = useState(false);
  if (data === undefined && error === null) return null;
  return (
    <section aria-label="Limit windows" className="flex flex-col gap-3 rounded-panel border border-border p-4 text-13">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-14 font-semibold text-strong">Limit windows</h2>
        <Button size="small" icon={<Gauge aria-hidden size={16} />} onClick={() => setIsEditing(true)}>
          Set limits
        </Button>
      </div>
      {isEditing && (
        <Suspense>
          <OwnLimitsDialog onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
      {data === undefined && <p className="text-muted">They could not be loaded.</p>}
      {data?.assistants.length === 0 && (
        <p className="text-muted">No use in the last seven days of which the assistant is known.</p>
      )}
      {data?.assistants.map((limits) => (
        <AssistantWindows key={limits.assistant} limits={limits} />
      ))}
    </section>
  );
}

function AssistantWindows({
  limits: { assistant, fiveHours, lastSevenDays, reported, own },
}: {
  readonly limits: Limits;
}) {
  const now = useNow();
  const name = ASSISTANT_NAMES[assistant];
  return (
    <section aria-label={name} className="flex flex-col gap-2 border-t border-border pt-3">
      <h3 className="font-semibold text-strong">{name}</h3>
      <dl className="grid gap-x-6 gap-y-3 md:grid-cols-2">
        <Window name="Five hours">
          {reported.fiveHours !== null && <Reported limit={reported.fiveHours} />}
          {own.fiveHours !== null && <Own limit={own.fiveHours} />}
          {fiveHours === null ? (
            <p className="text-muted">No window is open. The next one begins with the first use.</p>
          ) : (
            <>
              <p className="text-strong">{describeUse(fiveHours)}</p>
              <p className="text-muted">{describeTimes(fiveHours, now)}</p>
              <p className="text-muted">{describeForecast(fiveHours)}</p>
            </>
          )}
        </Window>
        <Window name="Last seven days">
          <p className="text-strong">{describeUse(lastSevenDays)}</p>
          {own.sevenDays !== null && <Own limit={own.sevenDays} />}
          {reported.week === null ? (
            <p className="text-muted">When a week of the subscription begins and ends is not recorded.</p>
          ) : (
            <Reported limit={reported.week} />
          )}
        </Window>
      </dl>
    </section>
  );
}

/** How much is used of a limit that a person has entered. */
function Own({ limit }: { readonly limit: NonNullable<Limits["own"]["fiveHours"]> }) {
  const now = useNow();
  const isNear = limit.reachedAt !== null || (limit.usedPercent ?? 0) >= 100;
  return <p className={isNear ? "text-warning" : "text-strong"}>{describeOwnLimit(limit, now)}</p>;
}

/** What the assistant itself reported about a limit, which is more exact than what was counted here. */
function Reported({ limit }: { readonly limit: NonNullable<Limits["reported"]["week"]> }) {
  const now = useNow();
  return (
    <p className={limit.fullAt === null ? "text-strong" : "text-warning"}>
      {describeReported(limit, now)}
      <span className="text-muted"> · reported {formatTimeAgo(limit.reportedAt, now)}</span>
    </p>
  );
}

function Window({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-muted">{name}</dt>
      <dd className="tabular flex flex-col gap-0.5">{children}</dd>
    </div>
  );
}
