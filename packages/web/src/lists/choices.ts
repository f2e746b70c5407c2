/** Several choices in one URL parameter, separated by commas; a comma within a choice is escaped as `\,`. */
export function splitChoices(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return (text.match(/(?:\\.|[^,\\])+/g) ?? []).map((part) => part.replace(/\\(.)/g, "$1"));
}

/** Undefined if there are none, which removes the parameter from the URL. */
export function joinChoices(choices: readonly string[]): string | undefined {
  return choices.length === 0 ? undefined : choices.map((choice) => choice.replace(/[\\,]/g, "\\$&")).join(",");
}

/** Adds the choice, or removes it if it is included. */
export function toggled<Value>(choices: readonly Value[], choice: Value): Value[] {
  return choices.includes(choice) ? choices.filter((other) => other !== choice) : [...choices, choice];
}
