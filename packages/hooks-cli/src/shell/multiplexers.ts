import { type ShellWord, textsOf } from "./word-fields.ts";
import { NOTHING, type Started } from "./wrapped-command.ts";

const TMUX_STARTS =
  /^(?:new(?:-session)?|neww|new-window|splitw|split-window|respawn[pw]|respawn-(?:pane|window)|run(?:-shell)?|popup|display-popup|if(?:-shell)?|pipep|pipe-pane)$/;
const TMUX_VALUES = /^-(?:[ABDEPXa-z]*)?[sncxytFeflpSL]$/;
const SCREEN_VALUES = /^-(?:[a-zA-Z]*[StcpTesh])$/;
/** Keys that end a line, by their names. */
const ENTER = /^(?:Enter|KPEnter|C-[mjcu])$/i;
const OTHER_KEY = /^(?:C-.|M-.|Escape|Tab|BSpace|Up|Down|Left|Right|Home|End|[PN]Page|F\d+)$/;

/** What `tmux` and `screen` start in their windows, or type into them. */
export function startedByMultiplexer(program: string, words: readonly ShellWord[]): Started {
  if (program === "screen") return startedByScreen(words);
  const scripts = commandsOfTmux(words).flatMap((command) => {
    const at = command.findIndex((text) => TMUX_STARTS.test(text) || /^send(?:-keys)?$/.test(text));
    if (at === -1) return [];
    const rest = withoutOptions(command.slice(at + 1), TMUX_VALUES);
    return [command[at]?.startsWith("send") === true ? typedText(rest) : rest.join(" ")];
  });
  return scripts.length === 0 ? NOTHING : { commands: [], scripts };
}

/** Several commands are separated by a semicolon, which the shell does not take for its own. */
function commandsOfTmux(words: readonly ShellWord[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const { text } of words.slice(1)) {
    if (text === ";") commands.push([]);
    else commands.at(-1)?.push(text);
  }
  return commands;
}

function startedByScreen(words: readonly ShellWord[]): Started {
  const texts = textsOf(words.slice(1));
  const stuff = texts.indexOf("stuff");
  if (stuff !== -1 && texts.includes("-X"))
    return { commands: [], scripts: [(texts[stuff + 1] ?? "").replaceAll(/\^M|\\[nr]|\\01[25]|\r/g, "\n")] };
  const rest = withoutOptions(texts, SCREEN_VALUES);
  return rest.length === 0 ? NOTHING : { commands: [words.slice(words.length - rest.length)], scripts: [] };
}

function withoutOptions(texts: readonly string[], values: RegExp): readonly string[] {
  const start = texts.findIndex((text, index) => !text.startsWith("-") && !values.test(texts[index - 1] ?? ""));
  return start === -1 ? [] : texts.slice(start);
}

function typedText(keys: readonly string[]): string {
  return keys
    .filter((key) => !OTHER_KEY.test(key) || ENTER.test(key))
    .map((key) => (ENTER.test(key) ? "\n" : key === "Space" ? " " : key))
    .join("");
}
