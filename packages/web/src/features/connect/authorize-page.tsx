import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import { sessionQuery } from "../../api/session.ts";
import { useInFront } from "../../browser/use-in-front.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { AuthPage } from "../auth/auth-page.tsx";
import { describeDestination } from "./destination.ts";
import { KeyAccessFields, useKeyAccess } from "./key-access-fields.tsx";

type AskedAccess = Outputs["oauth"]["describeRequest"]["data"];

/** The page knows its search parameters itself. */
const KEYS: object = { view: "keys" };

/** What is wrong with a request, by the error codes of OAuth. */
const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["invalid_request", "Its request lacks something, such as PKCE with S256, or is too long."],
  ["invalid_scope", "It asked for nothing that this server can give."],
  ["invalid_target", "It asked for access to another server."],
  ["redirect_uri", "It wants the answer at an address with which it has not registered."],
]);

/** Where a program's browser window arrives: the user decides what the program may do, or that it may do nothing. */
export default function AuthorizePage() {
  const client = useClient();
  const { request, problem } = useSearch({ from: "/authorize" });
  const [done, setDone] = useState<"allowed" | "refused" | null>(null);
  const { data: asked, error } = useQuery({
    queryKey: ["oauth", "request", request],
    queryFn: async ({ signal }) =>
      (await client.api.oauth.describeRequest.query({ request: request ?? "" }, { signal })).data,
    enabled: request !== undefined && problem === undefined,
    retry: false,
    staleTime: Infinity,
  });
  if (problem === "client_document") {
    return (
      <AuthPage title="This program is not known here">
        <p className="text-muted">
          It only says at which URL it describes itself, and this server does not read such descriptions. It can
          register here instead (dynamic client registration), or you{" "}
          <Link to="/connect" search={KEYS} className="font-medium text-accent-text hover:underline">
            create a key
          </Link>{" "}
          for it.
        </p>
      </AuthPage>
    );
  }
  if (problem !== undefined && problem !== "client") {
    return (
      <AuthPage title="The program has asked wrongly">
        <p className="text-muted">
          Nothing was given. {PROBLEMS.get(problem) ?? "This server does not support what the program asked for."} Who
          makes the program can correct that.
        </p>
      </AuthPage>
    );
  }
  if (problem !== undefined || request === undefined) {
    return (
      <AuthPage title="This program is not known here">
        <p className="text-muted">
          Remove this server from the program and add it again; then it registers anew. Programs that nobody gives
          access are forgotten after a day.
        </p>
      </AuthPage>
    );
  }
  if (error !== null) {
    return (
      <AuthPage title="This cannot be decided">
        <p className="text-muted">{toRequestError(error).message}</p>
      </AuthPage>
    );
  }
  if (asked === undefined) return <AuthPage title="A program asks for access">{null}</AuthPage>;
  if (done !== null) {
    return (
      <AuthPage title={done === "allowed" ? `“${asked.clientName}” has access` : "Nothing was given"}>
        <p className="text-muted">
          Return to the program; this page can be closed.{" "}
          {done === "allowed" && (
            <>
              Its key is{" "}
              <Link to="/connect" search={KEYS} className="font-medium text-accent-text hover:underline">
                among the others
              </Link>
              , where you can revoke it.
            </>
          )}
        </p>
      </AuthPage>
    );
  }
  const leave = (outcome: "allowed" | "refused", url: string) => {
    setDone(outcome);
    location.assign(url);
  };
  return <DecisionForm request={request} asked={asked} onDecided={leave} />;
}

interface DecisionFormProps {
  readonly request: string;
  readonly asked: AskedAccess;
  readonly onDecided: (outcome: "allowed" | "refused", url: string) => void;
}

function DecisionForm({ request, asked, onDecided }: DecisionFormProps) {
  const client = useClient();
  const { data: user } = useQuery(sessionQuery(client));
  const access = useKeyAccess(asked.scopes);
  const isInFront = useInFront();
  const { error, isBusy, submit } = useSubmit(access.isReady && isInFront, async () => {
    const { data } = await client.api.oauth.approveRequest.mutate({ request, ...access.read() });
    onDecided("allowed", data.redirectUrl);
  });
  return (
    <AuthPage
      title={`“${asked.clientName}” asks for access`}
      footer={user === undefined || user === null ? undefined : `You are signed in as ${user.name} (${user.email}).`}
    >
      <p className="text-pretty text-muted">
        {describeDestination(asked.redirectUri)} Anyone can call a program by that name: allow it only if you have just
        started this yourself.
      </p>
      <form className="mt-5 flex flex-col gap-4" onSubmit={submit}>
        {error !== null && <FormAlert tone="danger">Nothing was given. {error}</FormAlert>}
        <KeyAccessFields access={access} offered={asked.scopes} presets={["everything", "reading"]} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => onDecided("refused", asked.cancelUrl)}>Refuse</Button>
          <Button
            type="submit"
            tone="primary"
            isBusy={isBusy}
            disabled={!access.isReady}
            // It keeps the focus of the keyboard.
            aria-disabled={isBusy || !isInFront || undefined}
            className="aria-disabled:opacity-50"
          >
            Allow
          </Button>
        </div>
      </form>
    </AuthPage>
  );
}
