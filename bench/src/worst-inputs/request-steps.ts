import { CORE, type Step } from "./step.ts";

const API = "../../../packages/api-rest/src";

const KIB = 1024;
const MIB = 1024 * KIB;

/** What requests say beside their bodies, and what sessions of assistants send. */
export const REQUEST_STEPS: readonly Step[] = [
  {
    name: "target of a request",
    maxCharacters: 16 * KIB,
    openings: ["/", "/a?", "/%2e"],
    load: async () => (await import(`${API}/http/plain-target.ts`)).assertPlainTarget,
  },
  {
    name: "conditions of a request",
    maxCharacters: 16 * KIB,
    openings: ["", '"', 'W/"'],
    load: async () => {
      const { matchesNone, readIfMatch } = await import(`${API}/rest/entity-tag.ts`);
      return (text) => [matchesNone(text, 'W/"a"'), readIfMatch(text)];
    },
  },
  {
    name: "path of the vault",
    maxCharacters: MIB,
    openings: ["", "/", "%", "%25", "a/"],
    load: async () => (await import(`${CORE}/knowledge/vault/vault-path.ts`)).parseVaultPath,
  },
  {
    name: "commit in a command",
    maxCharacters: MIB,
    openings: ["git ", "git commit -m '", "git commit --message "],
    load: async () => (await import(`${CORE}/assistants/task-sessions/committed-subject.ts`)).committedSubject,
  },
  {
    name: "git remote of a project",
    maxCharacters: 4_096,
    openings: ["", "git@", "https://"],
    load: async () => (await import(`${CORE}/assistants/memory/git-remote.ts`)).normalizeRemote,
  },
  {
    name: "turns of a transcript",
    maxCharacters: 20 * MIB,
    openings: [
      "",
      '{"type":"user","message":{"content":"',
      '{"type":"response_item","payload":{"type":"function_call_output","output":"Exit code: 1\\n',
      '{"role":"user","content":"a"}\n',
    ],
    load: async () => (await import(`${CORE}/assistants/transcripts/transcript-turns.ts`)).readTurns,
  },
  {
    name: "rule of a repeated task",
    maxCharacters: 300,
    openings: ["FREQ=", "FREQ=DAILY;", "RRULE:", "FREQ=WEEKLY;BYDAY="],
    load: async () => (await import(`${CORE}/work/recurrence/repeat-rule.ts`)).parseRepeatRule,
  },
];
