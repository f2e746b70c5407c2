const VICTIMS = ["service", "database"] as const;

/** What a program that kills is to kill one after the other: all, or the one that its argument names. Throws if it names none. */
export function victimsOf(argument: string | undefined): readonly (typeof VICTIMS)[number][] {
  if (argument === undefined) return VICTIMS;
  const victims = VICTIMS.filter((victim) => victim === argument);
  if (victims.length === 0) throw new Error(`${argument} cannot be killed, only ${VICTIMS.join(" or ")}.`);
  return victims;
}
