import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Badge } from "../../components/badge.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatCount, formatSize, pluralize } from "../../numbers/number-format.ts";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { describeHealth, healthQuery } from "./health.ts";
import { LastRemoval } from "./last-removal.tsx";
import { retentionStatusQuery, type RetentionStatus } from "./retention.ts";

type ServerStatus = Outputs["serverStatus"]["get"]["data"];
type ServerProcess = ServerStatus["processes"][number];

const ROW = "flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border py-2 text-13 last:border-0";

const DUTIES: Readonly<Record<ServerProcess["leads"][number], string>> = {
  mirror: "follows the vault",
  "memory-embeddings": "makes vectors of memories",
};

/** Whether the server is well, what it runs on, what its processes do, and how much is stored. */
export default function ServerSettings() {
  const client = useClient();
  const health = useQuery(healthQuery(client));
  const status = useQuery({ ...trpc(client).serverStatus.get.queryOptions(), select: ({ data }) => data });
  const retention = useQuery({ ...retentionStatusQuery(client), select: ({ data }) => data });
  return (
    <div className="flex flex-col gap-8">
      <LoadedSettings query={health}>
        {(known) => (
          <Part id="health" title="Health">
            {describeHealth(known).map(({ name, state, problem }) => (
              <li key={name} className={ROW}>
                {problem === null ? (
                  <CircleCheck role="img" aria-label="Well" size={16} className="shrink-0 text-success" />
                ) : (
                  <CircleAlert role="img" aria-label="Problem" size={16} className="shrink-0 text-danger" />
                )}
                <span className="text-strong">{name}</span>
                <span className="ml-auto text-muted">{state}</span>
                {problem !== null && <p className="basis-full text-strong">{problem}</p>}
              </li>
            ))}
          </Part>
        )}
      </LoadedSettings>
      <LoadedSettings query={status}>
        {(known) => (
          <>
            <Software status={known} version={health.data?.version} deployment={health.data?.database.deployment} />
            <Processes processes={known.processes} />
            <Storage status={known} retention={retention.data} />
          </>
        )}
      </LoadedSettings>
    </div>
  );
}

function Part({ id, title, children }: { readonly id: string; readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="text-14 font-semibold text-strong">
        {title}
      </h2>
      <ul className="flex flex-col rounded-panel border border-border px-4">{children}</ul>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <li className={ROW}>
      <span className="text-strong">{name}</span>
      <span className="ml-auto min-w-0 text-right [overflow-wrap:anywhere] text-muted">{children}</span>
    </li>
  );
}

interface SoftwareProps {
  readonly status: ServerStatus;
  readonly version: string | undefined;
  readonly deployment: "embedded" | "external" | undefined;
}

function Software({ status: { process, database }, version, deployment }: SoftwareProps) {
  return (
    <Part id="software" title="Version">
      <Fact name="Workspace">{version ?? "unknown"}</Fact>
      <Fact name="Node.js">
        {process.nodeVersion} on {process.platform}
      </Fact>
      <Fact name="PostgreSQL">
        {database.version}
        {deployment === "embedded" && ", embedded"}
        {deployment === "external" && ", external"}
      </Fact>
      <Fact name="Time zone">{process.timeZone}</Fact>
    </Part>
  );
}

function Processes({ processes }: { readonly processes: readonly ServerProcess[] }) {
  return (
    <Part id="processes" title="Processes">
      {processes.map(({ id, startedAt, isThis, isAlive, leads }) => (
        <li key={id} className={ROW}>
          <span className="text-strong">
            Running since <TimeAgo timestamp={startedAt} />
          </span>
          {isThis && <Badge>Answers you</Badge>}
          {!isAlive && <Badge tone="danger">Does not respond</Badge>}
          <span className="ml-auto text-muted">
            {["serves requests", ...leads.map((duty) => DUTIES[duty])].join(", ")}
          </span>
        </li>
      ))}
    </Part>
  );
}

interface StorageProps {
  readonly status: ServerStatus;
  readonly retention: RetentionStatus | undefined;
}

function Storage({ status: { process, database, vault, data }, retention }: StorageProps) {
  return (
    <>
      <Part id="storage" title="Storage">
        <Fact name="Database">{formatSize(database.sizeBytes)}</Fact>
        <Fact name="Vault">
          {formatSize(vault.sizeBytes)} in {pluralize(vault.documents, "document")}, {freeOf(vault.freeBytes)}
          <br />
          <code>{vault.path}</code>
        </Fact>
        <Fact name="Server's own data">
          {freeOf(data.freeBytes)}
          <br />
          <code>{data.path}</code>
        </Fact>
        {retention !== undefined && (
          <Fact name="Old data">
            <LastRemoval status={retention} />
          </Fact>
        )}
        <Fact name="Memory of this process">{formatSize(process.residentBytes)}</Fact>
      </Part>
      <section aria-labelledby="tables" className="flex flex-col gap-2">
        <h2 id="tables" className="text-14 font-semibold text-strong">
          Largest tables
        </h2>
        <table className="w-full text-13">
          <thead>
            <tr className="border-b border-border text-left text-12 text-muted">
              <th scope="col" className="py-1.5 font-medium">
                Table
              </th>
              <th scope="col" className="py-1.5 text-right font-medium">
                Rows, about
              </th>
              <th scope="col" className="py-1.5 text-right font-medium">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {database.tables.map(({ name, rows, sizeBytes }) => (
              <tr key={name} className="border-b border-border last:border-0">
                <th scope="row" className="py-1.5 text-left font-mono font-normal [overflow-wrap:anywhere] text-strong">
                  {name}
                </th>
                <td className="tabular py-1.5 text-right text-muted">{formatCount(rows)}</td>
                <td className="tabular py-1.5 text-right text-strong">{formatSize(sizeBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function freeOf(bytes: number | null): string {
  return bytes === null ? "its disk cannot be reached" : `${formatSize(bytes)} free on its disk`;
}
