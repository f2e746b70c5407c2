import { expect, test } from "vitest";
import { parseConfig } from "./env.ts";

const misspeltIn = (...names: readonly string[]) =>
  parseConfig(Object.fromEntries(names.map((name) => [name, "1"])), "/srv").misspelt;

test.each([
  ["BAKUP_DIR", "BACKUP_DIR"],
  ["BACKUPS_DIR", "BACKUP_DIR"],
  ["DATA_DRI", "DATA_DIR"],
  ["VAULT-PATH", "VAULT_PATH"],
  ["backup_dir", "BACKUP_DIR"],
  ["KEEP_RUN_DAYS", "KEEP_RUNS_DAYS"],
  ["WORKSPACE_PORT", "PORT"],
  ["WORKSPACE_PROT", "PORT"],
])("%s is taken for a misspelt %s", (name, meant) => {
  expect(misspeltIn(name)).toEqual([{ name, meant }]);
});

test("variables of other programs are not", () => {
  // What shells, service managers, containers, Node and other programs set.
  const others = `_ AWS_REGION CI COLORTERM DISPLAY EDITOR GOPATH HOME HOSTNAME HOSTTYPE INIT_CWD INVOCATION_ID JOURNAL_STREAM
    KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT LANG LC_ALL LESS LOGNAME LS_COLORS MAIL MANPATH NODE_ENV
    NODE_OPTIONS NOTIFY_SOCKET OLDPWD OPENAI_API_BASE OPENAI_ORG_ID OTEL_EXPORTER_OTLP_HEADERS OTEL_SERVICE_NAME PATH PGDATABASE
    PGHOST PGPASSWORD PGPORT PGUSER POSTGRES_DB POSTGRES_PASSWORD POSTGRES_USER PWD SHELL SHLVL SSH_AUTH_SOCK SSH_TTY SPORT TERM
    TMPDIR TZDIR USER VAULT_ADDR VAULT_TOKEN WORKSPACE WORKSPACE_API_KEY WORKSPACE_HOOKS WORKSPACE_HOOKS_EVENTS
    WORKSPACE_HOOKS_MEMORY WORKSPACE_TMP WORKSPACE_URL XDG_CONFIG_HOME XDG_DATA_DIRS XDG_RUNTIME_DIR npm_config_cache`;
  expect(misspeltIn(...others.split(/\s+/))).toEqual([]);
  const withOurs = { DATABASE_URL: "postgresql://me@localhost/workspace", DATABASE_URI: "of another program" };
  expect(parseConfig(withOurs, "/srv").misspelt).toEqual([]);
});
