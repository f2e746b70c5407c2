import { LogIn } from "lucide-react";
import { useState } from "react";
import { beginProviderSignIn } from "../../api/sign-in-methods.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { describeAuthError } from "./auth-error.ts";
import { redirectPath } from "./redirect-path.ts";

interface ProviderButtonProps {
  /** The name of the provider. */
  readonly name: string;
  readonly next: string | undefined;
  /** Whether it was refused, so that they may want to be somebody else there. */
  readonly isAgain: boolean;
  readonly onError: (message: string | null) => void;
}

/** Signs in with an account of the provider, whose page takes the place of this one. */
export function ProviderButton({ name, next, isAgain, onError }: ProviderButtonProps) {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const begin = async () => {
    if (isBusy) return;
    setIsBusy(true);
    onError(null);
    try {
      location.assign(await beginProviderSignIn(client, { next: toPath(next), isAgain }));
    } catch (failure) {
      onError(describeAuthError(failure));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Button icon={<LogIn aria-hidden size={16} />} isBusy={isBusy} onClick={() => void begin()}>
      Continue with {name}
    </Button>
  );
}

/** As long as the server takes it, encoded. */
const MAX_PATH_LENGTH = 3_600;

function toPath(next: string | undefined): string {
  const { pathname, search, hash } = new URL(redirectPath(next), location.origin);
  const path = `${pathname}${search}${hash}`;
  return encodeURIComponent(path).length > MAX_PATH_LENGTH ? "/" : path;
}
