import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { FormAlert } from "../../components/form-alert.tsx";

/** Says before anything is typed that no model would answer. */
export default function NoModelNotice() {
  const client = useClient();
  const { data: hasModel } = useQuery({
    ...trpc(client).modelSettings.get.queryOptions(),
    select: ({ data }) => data.chat !== null || data.environment.model !== null,
  });
  if (hasModel !== false) return null;
  return (
    <div className="mx-auto w-full max-w-190 px-4 pb-2">
      <FormAlert tone="info">
        Nobody would answer yet: no model is configured.{" "}
        <Link to="/settings" className="font-medium text-accent-text hover:underline">
          Choose a model
        </Link>
      </FormAlert>
    </div>
  );
}
