import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { ForbiddenError, NotFoundError } from "../../platform/errors.ts";
import { createPager, type Page } from "../../platform/paging.ts";
import { deleteGrant, insertGrant, selectGrants } from "./secret-grant.queries.ts";
import type {
  CreateSecretGrant,
  DeleteSecretGrant,
  ListSecretGrants,
  SecretGrant,
  UseSecrets,
} from "./secret-grant.schema.ts";
import type { SecretRedactor } from "./secret-redactor.ts";
import type { RevealedSecret } from "./secret.schema.ts";

const MAX_RECORDED_LENGTH = 200;

const readPage = createPager("secret-grants", z.tuple([z.uuid()]), ({ id }: SecretGrant) => [id]);

export interface SecretGrantsDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly redactor: SecretRedactor;
  /** Returns a secret's value after recording who uses it. Throws {@link NotFoundError}. */
  readonly useValue: (key: string, actor: string) => Promise<string>;
}

export type SecretGrants = ReturnType<typeof createSecretGrants>;

/** Which commands may use which secrets in which folders, on the machines of assistants. */
export function createSecretGrants({ db, clock, ids, events, redactor, useValue }: SecretGrantsDeps) {
  const publish = (secretId: string, key: string) =>
    events.publish({ resource: "secret", action: "edit", resourceId: secretId, resourceName: key });

  async function isGranted(key: string, use: UseSecrets): Promise<boolean> {
    return (await selectGrants(db.pool, key)).some((grant) => allows(grant, use));
  }

  return {
    /** Oldest first. Empty if there is no such secret. */
    async list({ key, limit, cursor }: ListSecretGrants): Promise<Page<SecretGrant>> {
      return readPage({ limit, cursor, filter: { key } }, (range) => selectGrants(db.pool, key, range));
    },

    /** Does nothing if it is granted already. Throws {@link NotFoundError}. */
    async create({ key, command, folder }: CreateSecretGrant): Promise<SecretGrant> {
      const stored = await insertGrant(db.pool, key, { id: ids(), command, folder, createdAt: clock.now() });
      if (stored === null) throw new NotFoundError("There is no such secret.");
      const { secretId, ...grant } = stored;
      publish(secretId, key);
      return grant;
    },

    /** Throws {@link NotFoundError}. */
    async delete({ key, id }: DeleteSecretGrant): Promise<{ deleted: true }> {
      const secretId = await deleteGrant(db.pool, key, id);
      if (secretId === null) throw new NotFoundError("There is no such rule.");
      publish(secretId, key);
      return { deleted: true };
    },

    /**
     * The values for a command that is about to be run, if it may use all of them; each use is recorded. Throws
     * {@link ForbiddenError}, which does not say whether there is such a secret.
     */
    async use(use: UseSecrets): Promise<RevealedSecret[]> {
      const keys = [...new Set(use.keys)];
      for (const key of keys) {
        if (!(await isGranted(key, use)))
          throw new ForbiddenError(`No rule of the secret ${key} lets this command use it in ${use.folder}.`);
      }
      // The arguments may contain the value of any secret, of which no part may remain where the text is cut.
      const actor = `command:${redactor.redact(describe(use)).slice(0, MAX_RECORDED_LENGTH).toWellFormed()}`;
      const values: RevealedSecret[] = [];
      for (const key of keys) values.push({ key, value: await useValue(key, actor) });
      return values;
    },
  };
}

/** The words of a rule are the first ones of the command, and its folder contains that of the command. */
function allows(grant: SecretGrant, { command, folder }: UseSecrets): boolean {
  const isInside = grant.folder === "/" || folder === grant.folder || folder.startsWith(`${grant.folder}/`);
  return isInside && grant.command.split(" ").every((word, index) => word === command[index]);
}

function describe({ command, folder }: UseSecrets): string {
  return `${command.join(" ")} in ${folder}`;
}
