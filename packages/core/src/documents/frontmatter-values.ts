/** Aliases may make a block say no more than this, counted roughly in characters of JSON. */
const MAX_SIZE = 512 * 1024;
/** What a value counts besides its text. */
const VALUE_SIZE = 16;

/** Fields that JSON says as they are: trees of objects, lists, text, finite numbers, booleans and null. */
export type FrontmatterValues = Record<string, unknown>;

/**
 * The fields of a parsed block as a tree that JSON can hold, so that whatever is accepted as frontmatter can be answered.
 * Numbers that JSON lacks become the text by which YAML writes them. Null for what is no such tree: a value that contains
 * itself by an alias, aliases that expand to more than 512 KiB, and values of other kinds.
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
  /** The collections around the value at hand. One of them found again inside itself is a cycle. */
  const around = new Set<object>();
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
    // This makes `__proto__` a field like any other.
    return inside(fields, () => Object.fromEntries(Object.entries(fields).map(convertField)));
  }

  function inside<Result>(collection: object, work: () => Result): Result {
    if (around.has(collection)) throw new NotATreeError();
    count("");
    around.add(collection);
    const result = work();
    around.delete(collection);
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
