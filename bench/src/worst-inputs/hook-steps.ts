import type { Step } from "./step.ts";

const CLI = "../../../packages/hooks-cli/src";

const KIB = 1024;

/** What the hooks of assistants process. */
export const HOOK_STEPS: readonly Step[] = [
  {
    name: "secrets in a tool call (hooks)",
    maxCharacters: 16 * KIB,
    openings: ["", "password=", "export TOKEN=", "Authorization: "],
    load: async () => {
      const { redactText } = await import(`${CLI}/redaction/redact.ts`);
      return (text) => redactText(text);
    },
  },
  {
    name: "code in a command (hooks)",
    maxCharacters: 64 * KIB,
    openings: ["", "system(", "run([", "open("],
    load: async () => (await import(`${CLI}/shell/read-code.ts`)).readCode,
  },
  {
    name: "command before it runs (hooks)",
    maxCharacters: 64 * KIB,
    openings: ["", "rm ", "git push ", "docker run ", "kubectl ", "a=b;", "f(){ ", "echo '", "for i in ", "psql -c '"],
    load: async () => {
      const { PACKS, openDraft } = await import(`${CLI}/policy/draft.ts`);
      const { judge } = openDraft({ version: 1, packs: PACKS.map(({ id }: { id: string }) => id) });
      return (text) => judge({ tool: "Bash", input: { command: text } });
    },
  },
  {
    name: "pattern of a policy (hooks)",
    maxCharacters: 500,
    openings: ["", "(", "[", "(a|", "a{1,", "(?:"],
    load: async () => {
      const { compilePattern } = await import(`${CLI}/linear-regex/linear-matcher.ts`);
      const command = "a".repeat(KIB);
      return (text) => compilePattern(text).matches(command);
    },
  },
  {
    name: "rules of a .gitignore (hooks)",
    maxCharacters: 64 * KIB,
    openings: ["", "[", "**/", "!", "\\"],
    load: async () => {
      const { IgnoreRules } = await import(`${CLI}/undo/ignore-rules.ts`);
      return (text) => IgnoreRules.none.with("", text).ignores("a/b/a.a", true);
    },
  },
  {
    name: "glob of a policy (hooks)",
    maxCharacters: 500,
    openings: ["", "{", "[", "**/", "{a,"],
    load: async () => {
      const { matchesGlob } = await import(`${CLI}/shell/path-glob.ts`);
      const path = "a/".repeat(KIB);
      return (text) => matchesGlob(text, path);
    },
  },
];
