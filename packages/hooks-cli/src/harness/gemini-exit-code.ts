/** The last lines of what the model is told about a command. */
const EXIT_CODE =
  /\nExit Code: ([1-9][0-9]*)\n(?:(?:Signal|Background PIDs|Process Group PGID): [^\n]*\n)*<\/untrusted_context>$/;

/** With which code a command has failed, according to what Gemini CLI tells the model about it; undefined if it has not. */
export function geminiExitCode(told: string | undefined): string | undefined {
  return EXIT_CODE.exec((told ?? "").trimEnd().slice(-500))?.[1];
}
