import { NOTHING, type Started } from "./wrapped-command.ts";
import { UNKNOWN, UNSEEN } from "./unknown.ts";
import { readableScript } from "./windows-script.ts";
import { type ShellWord, textsOf } from "./word-fields.ts";

/** Cmdlets that start what is between braces: `ForEach-Object { … }`. */
const TAKES_BLOCK =
  /^(?:%|foreach(?:-object)?|\?|where(?:-object)?|invoke-command|icm|start-job|measure-command|try|catch|finally|else)$/;

/** What a cmdlet of PowerShell starts. */
export function startedByCmdlet(program: string, words: readonly ShellWord[], stdin: string | undefined): Started {
  const name = program.toLowerCase();
  if (name === "iex" || name === "invoke-expression") {
    const given = words.slice(1).filter(({ text }) => !/^-command$/i.test(text));
    const script = given.length === 0 ? stdin : textsOf(given).join(" ");
    return script === undefined ? NOTHING : { commands: [], scripts: [script] };
  }
  const start = TAKES_BLOCK.test(name) ? words.findIndex(({ text }) => text === "{") : -1;
  if (start === -1) return NOTHING;
  const end = words.findLastIndex(({ text }) => text === "}");
  // `$_` is each of whatever the cmdlet is given.
  const block = words
    .slice(start + 1, end > start ? end : undefined)
    .map((word) => ({ ...word, text: word.text.replaceAll(UNSEEN, UNKNOWN).replaceAll(UNKNOWN, UNSEEN) }));
  return block.length === 0 ? NOTHING : { commands: [block], scripts: [] };
}

/** `cmd /c` and `pwsh -Command` take all that follows as a script, `-EncodedCommand` one in Base64. */
export function startedOnWindows(words: readonly ShellWord[]): Started {
  const encoded = words.findIndex(({ text }) => /^-e(?:c|nc\w*)?$/i.test(text));
  const code = encoded === -1 ? undefined : words[encoded + 1]?.text;
  if (code !== undefined)
    return { commands: [], scripts: [readableScript(Buffer.from(code, "base64").toString("utf16le"))] };
  const at = words.findIndex(({ text }) => /^(?:\/{1,2}[ck]|-c|-command)$/i.test(text));
  const script = textsOf(words.slice(at + 1));
  return at === -1 ? NOTHING : { commands: [], scripts: [readableScript(script.join(" "))] };
}
