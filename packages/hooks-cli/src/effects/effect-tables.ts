import { CONTAINERS_EFFECTS } from "./tables/containers.ts";
import { PACKAGES_EFFECTS } from "./tables/packages.ts";
import { seldomTables } from "./tables/seldom-tables.ts";
import { SYSTEM_EFFECTS } from "./tables/system.ts";
import { VERSION_CONTROL_EFFECTS } from "./tables/version-control.ts";

/**
 * What programs do that cannot be taken back: the names of programs, and below them lines that name a rule and patterns of arguments
 * to which it applies, separated by `;` (see `matchesPattern`). `=name` continues with what is known about another program. A rule
 * without a pack belongs to the pack that most rules of its table belong to.
 */
const TABLES = [
  ["git", VERSION_CONTROL_EFFECTS],
  ["processes", SYSTEM_EFFECTS],
  ["infrastructure", CONTAINERS_EFFECTS],
  ["packages", PACKAGES_EFFECTS],
] as const;

/** The programs of the other tables, except those of the families below. */
const SELDOM =
  "terraform tofu terragrunt cdktf pulumi cdk sam serverless sls sst amplify copilot eb packer nomad consul boundary datadog-ci newrelic expo ansible ansible-playbook salt bolt aws gcloud gsutil bq az azcopy doctl linode-cli hcloud scw vultr vultr-cli ibmcloud oci aliyun openstack flyctl fly heroku vercel netlify railway supabase firebase convex wrangler cloudflared fastly cf dokku apigeecli deck borg restic rclone duplicity kopia tmutil snapper timeshift vssadmin mc mcli s3cmd s5cmd b2 vault bao doppler op bw chamber pass gopass infisical ssh-add ssh-keygen gpg security keytool certbot rpk nats pulsar-admin nsupdate algolia stripe square twilio pd splunk grafana-cli sentry-cli ldcli flipt unleash split shopify hub tea sendmail postsuper eas fastlane mkfs mysqladmin mariadb-admin dropdb dropuser initdb mongorestore mongodump mongoimport flushall flushdb redis-cli valkey-cli influx nodetool cockroach pscale turso neonctl atlas prisma drizzle-kit knex sequelize sequelize-cli typeorm rails rake artisan manage.py django-admin alembic flyway liquibase dbmate goose migrate mix diesel sqlx dbt hasura meteor blkdiscard sg_format mkswap wipefs pvmove resize2fs parted mdadm cryptsetup blockdev dmsetup zpool zfs btrfs xfs_repair tune2fs e2fsck fsck badblocks hdparm nvme nbd-client qemu-img losetup umount mount diskutil diskpart format format-volume clear-disk initialize-disk reset-physicaldisk remove-partition";

const SELDOM_FAMILIES = /^(?:kafka-|pg_|rabbitmq|[lpv][gv]re|[cs]?[fg]disk$)/;

/** Programs whose names vary. */
const VARIANTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:mkfs(?:\..+)?|mke2fs|newfs.*)$/, "mkfs"],
  [/^ip6?tables(?:-legacy|-nft)?$/, "iptables"],
];

/** A rule, and one pattern of arguments to which it applies. */
export interface EffectPattern {
  readonly rule: string;
  readonly pattern: string;
}

/** What a table says about some programs. */
interface TableEntry {
  /** The pack of rules that are named without one. */
  readonly pack: string;
  readonly lines: string[];
}

let entriesByProgram: ReadonlyMap<string, TableEntry> | undefined;
let seldomPrograms: ReadonlySet<string> | undefined;
let seldomEntries: ReadonlyMap<string, TableEntry> | undefined;
const parsed = new Map<string, readonly EffectPattern[]>();

/** The patterns of a program; none if nothing is known about it. */
export function patternsOf(program: string): readonly EffectPattern[] {
  const name = VARIANTS.find(([names]) => names.test(program))?.[1] ?? program;
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const entry = (entriesByProgram ??= readTables(TABLES)).get(name) ?? seldomEntry(name);
  const patterns = entry === undefined ? [] : entry.lines.flatMap((line) => patternsIn(line.trim(), entry.pack));
  parsed.set(name, patterns);
  return patterns;
}

function seldomEntry(name: string): TableEntry | undefined {
  seldomPrograms ??= new Set(SELDOM.split(" "));
  return seldomPrograms.has(name) || SELDOM_FAMILIES.test(name)
    ? (seldomEntries ??= readTables(seldomTables())).get(name)
    : undefined;
}

/** Every program that the tables know. */
export function knownPrograms(): readonly string[] {
  return [...readTables([...TABLES, ...seldomTables()]).keys()];
}

function readTables(tables: readonly (readonly [string, string])[]): ReadonlyMap<string, TableEntry> {
  const entries = new Map<string, TableEntry>();
  for (const [pack, text] of tables) {
    let lines: string[] = [];
    for (const line of text.split("\n")) {
      if (line.startsWith(" ")) {
        lines.push(line);
        continue;
      }
      if (line === "") continue;
      lines = [];
      const entry = { pack, lines };
      for (const name of line.split(" ")) entries.set(name, entry);
    }
  }
  return entries;
}

function patternsIn(line: string, pack: string): readonly EffectPattern[] {
  if (line.startsWith("=")) return patternsOf(line.slice(1));
  const colon = line.indexOf(": ");
  const name = line.slice(0, colon);
  const rule = name.includes(".") ? name : `${pack}.${name}`;
  return line
    .slice(colon + 2)
    .split("; ")
    .map((pattern) => ({ rule, pattern }));
}
