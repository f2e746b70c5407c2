import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { toasts } from "../../components/toast.ts";
import { toolLabel } from "../../components/tool-label.ts";
import { visibleText } from "./visible-text.ts";

/** Calls that are allowed in a project although a rule asks about them. Nothing if there are none. */
export function PolicyAllowances() {
  const client = useClient();
  const { data: allowances = [] } = useQuery({
    queryKey: ["approvals", "allowances"],
    queryFn: async ({ signal }) => (await client.api.approvals.listAllowances.query({ limit: 500 }, { signal })).data,
  });
  const remove = (id: string) => {
    client.api.approvals.deleteAllowance
      .mutate({ id })
      .then(() => client.queries.invalidateQueries({ queryKey: ["approvals", "allowances"] }))
      .catch((error: unknown) => {
        toasts(client).show({ message: `Still allowed. ${toRequestError(error).message}`, tone: "danger" });
      });
  };
  if (allowances.length === 0) return null;
  return (
    <section aria-labelledby="allowances" className="flex flex-col gap-2">
      <h2 id="allowances" className="text-14 font-semibold text-strong">
        Always allowed
      </h2>
      <p className="text-13 text-muted">
        Exactly these calls, in these projects, although a rule asks about them. A rule that denies them still does.
        What you remove here is asked about at once, on machines that reach this server.
      </p>
      <ul className="flex flex-col">
        {allowances.map(({ id, toolName, call, project }) => (
          <li key={id} className="flex items-center gap-3 border-b border-border py-1 last:border-0">
            <span className="flex min-w-0 flex-1 flex-col text-12 [overflow-wrap:anywhere]">
              <span className="font-mono text-strong">
                {toolLabel(toolName)}: {visibleText(call)}
              </span>
              <span className="text-muted">{project}</span>
            </span>
            <IconButton label={`Ask about ${call} again`} icon={<X size={16} />} onClick={() => remove(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
