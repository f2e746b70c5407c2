/** Returns a function that creates a value when it is first called, and returns the same one from then on. */
export function lazily<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => (created ??= { value: create() }).value;
}
