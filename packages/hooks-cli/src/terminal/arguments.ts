/** The arguments after a command. */
export interface Arguments {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly flags: ReadonlySet<string>;
}

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Parses arguments. `values` are the options that take a value, `flags` those that do not. */
export function parseArguments(
  args: readonly string[],
  known: { readonly values?: readonly string[]; readonly flags?: readonly string[] },
): Arguments {
  const positionals: string[] = [];
  const values: Record<string, string> = {};
  const flags = new Set<string>();
  for (let at = 0; at < args.length; at += 1) {
    const text = args[at] ?? "";
    if (!text.startsWith("--")) {
      positionals.push(text);
      continue;
    }
    const [name = "", ...attached] = text.slice(2).split("=");
    if (known.flags?.includes(name) === true && attached.length === 0) {
      flags.add(name);
    } else if (known.values?.includes(name) === true) {
      const value = attached.length > 0 ? attached.join("=") : args[(at += 1)];
      if (value === undefined) throw new UsageError(`--${name} needs a value.`);
      if (value === "") throw new UsageError(`--${name} is empty. If a variable stands for it, that is not set.`);
      values[name] = value;
    } else {
      throw new UsageError(`Unknown option: --${name}. See workspace-hooks help.`);
    }
  }
  return { positionals, values, flags };
}
