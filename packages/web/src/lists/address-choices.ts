/** Several choices in one part of an address, divided by commas; a comma within one is written `\,`. */
export function splitChoices(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return (text.match(/(?:\\.|[^,\\])+/g) ?? []).map((part) => part.replace(/\\(.)/g, "$1"));
}

/** Undefined for none, which takes the part out of the address. */
export function joinChoices(choices: readonly string[]): string | undefined {
  return choices.length === 0 ? undefined : choices.map((choice) => choice.replace(/[\\,]/g, "\\$&")).join(",");
}

/** With the choice, or without it where it was among them. */
export function toggled<Value>(choices: readonly Value[], choice: Value): Value[] {
  return choices.includes(choice) ? choices.filter((other) => other !== choice) : [...choices, choice];
}
