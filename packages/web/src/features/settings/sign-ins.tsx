import { useInfiniteQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { deviceName } from "../notifications/device-name.ts";

type SignIn = Outputs["account"]["listSignIns"]["data"][number];

const PER_PAGE = 20;

const OUTCOMES: Readonly<Record<SignIn["outcome"], string>> = {
  signed_in: "Signed in",
  signed_in_with_code: "Signed in with a code",
  signed_in_with_recovery_code: "Signed in with a recovery code",
  signed_in_with_passkey: "Signed in with a passkey",
  signed_in_with_provider: "Signed in with the provider",
  signed_up: "Account created",
  signed_up_with_provider: "Account created with the provider",
  password_changed: "Password changed",
  password_reset_requested: "Email to set a new password requested",
  password_reset: "New password set by email",
  codes_turned_on: "Authenticator app turned on",
  codes_turned_off: "Authenticator app turned off",
  recovery_codes_replaced: "New recovery codes",
  passkey_added: "Passkey added",
  passkey_removed: "Passkey removed",
  provider_linked: "Provider linked",
  provider_unlinked: "Provider unlinked",
  wrong_password: "Wrong password",
  wrong_code: "Right password, wrong code",
};
const FAILURES: ReadonlySet<SignIn["outcome"]> = new Set(["wrong_password", "wrong_code"]);

/** What happened to the user's account lately. */
export function SignIns() {
  const client = useClient();
  const query = useInfiniteQuery({
    ...trpc(client).account.listSignIns.infiniteQueryOptions(
      { limit: PER_PAGE },
      { getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined },
    ),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  return (
    <section aria-labelledby="sign-ins" className="flex flex-col gap-2">
      <h2 id="sign-ins" className="text-14 font-semibold text-strong">
        Sign-ins
      </h2>
      <p className="text-normal">
        For as long as the storage settings say. If there is one that was not you, change your password.
      </p>
      <LoadedSettings query={query}>
        {(signIns) => (
          <>
            {signIns.length === 0 && <p className="text-13 text-muted">None since this is recorded.</p>}
            {signIns.length > 0 && (
              <ul className="flex flex-col rounded-panel border border-border px-4">
                {signIns.map(({ id, outcome, address, userAgent, createdAt }) => (
                  <li key={id} className="flex flex-wrap gap-x-2 border-b border-border py-2 text-13 last:border-0">
                    <span className={FAILURES.has(outcome) ? "text-danger" : "text-strong"}>{OUTCOMES[outcome]}</span>
                    <span className="min-w-0 flex-1 text-muted">
                      {deviceName(userAgent)}, {address ?? "unknown address"}
                    </span>
                    <span className="text-muted">
                      <TimeAgo timestamp={createdAt} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
            {query.hasNextPage && (
              <Button
                size="small"
                className="self-start"
                isBusy={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </>
        )}
      </LoadedSettings>
    </section>
  );
}
