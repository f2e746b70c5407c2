/** The limit on a block with its aliases expanded, counted roughly in characters of JSON. */
const MAX_SIZE = 512 * 1024;
/** The size of a value in addition to its text. */
const VALUE_SIZE = 16;

/** Fields that JSON can represent: trees of objects, arrays, strings, finite numbers, booleans and null. */
export type FrontmatterValues = Record<string, unknown>;

/**
 * Converts the fields of a parsed block to a tree that JSON can represent, so that any accepted frontmatter can be returned to
 * clients. Numbers that JSON lacks become strings in YAML's notation. Returns null if that is impossible: for a value that
 * contains itself through an alias, aliases that expand to more than 512 KiB, and values of other types.
 */
export function toFrontmatterValues(fields: unknown): FrontmatterValues | null {
  if (!isPlainObject(fields)) return null;
  try {
    return createConverter().convertObject(fields);
  } catch (error) {
    if (error instanceof NotATreeError) return null;
    throw error;
  }
}

class NotATreeError extends Error {}

function createConverter() {
  /** The collections that contain the current value. One that contains itself is a cycle. */
  const ancestors = new Set<object>();
  let size = 0;

  function count(text: string): void {
    size += VALUE_SIZE + text.length;
    if (size > MAX_SIZE) throw new NotATreeError();
  }

  function convert(value: unknown): unknown {
    if (Array.isArray(value)) return inside(value, () => value.map(convert));
    if (isPlainObject(value)) return convertObject(value);
    if (value !== null && typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      throw new NotATreeError();
    }
    count(typeof value === "string" ? value : "");
    return typeof value === "number" ? convertNumber(value) : value;
  }

  function convertObject(fields: FrontmatterValues): FrontmatterValues {
    const convertField = ([name, value]: [string, unknown]): [string, unknown] => {
      count(name);
      return [name, convert(value)];
    };
    // Treats `__proto__` like any other field.
    return inside(fields, () => Object.fromEntries(Object.entries(fields).map(convertField)));
  }

  function inside<Result>(collection: object, work: () => Result): Result {
    if (ancestors.has(collection)) throw new NotATreeError();
    count("");
    ancestors.add(collection);
    const result = work();
    ancestors.delete(collection);
    return result;
  }

  return { convertObject };
}

function convertNumber(value: number): number | string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf";
  // JSON writes -0 as 0.
  return value === 0 ? 0 : value;
}

function isPlainObject(value: unknown): value is FrontmatterValues {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
