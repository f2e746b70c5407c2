import { html, type Html } from "./html.ts";
import type { JsonSchema } from "./openapi.ts";

/** Schemas that are nested deeper than this are only named. */
const MAX_DEPTH = 6;

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Shows a schema as its type and, below it, its fields. */
export function viewSchema(schema: JsonSchema, schemas: Schemas, depth = 0): Html {
  const { shape, type } = describe(resolve(schema, schemas), schemas);
  const fields = Object.entries(shape?.properties ?? {});
  if (shape === null || fields.length === 0 || depth > MAX_DEPTH) return html`<code>${type}</code>`;
  const required = new Set(shape.required ?? []);
  return html`<code>${type}</code>
    <ul class="fields">
      ${fields.map(
        ([name, field]) =>
          html`<li>
            <code class="name">${name}</code>${required.has(name) ? "" : html`<span class="optional">optional</span>`}
            ${viewSchema(field, schemas, depth + 1)} ${viewNotes(field)}
          </li>`,
      )}
    </ul>`;
}

/** Shows what a schema declares beyond its type. */
export function viewNotes({ description, default: preset, ...schema }: JsonSchema): Html | null {
  const notes = [
    description,
    range("", schema.minimum, schema.maximum),
    range("characters: ", schema.minLength, schema.maxLength),
    preset === undefined ? undefined : `default ${JSON.stringify(preset)}`,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? null : html`<span class="notes">${notes.join(" · ")}</span>`;
}

/** The type in words, and the object whose fields are worth showing: the schema itself, or the items of its list. */
function describe(schema: JsonSchema, schemas: Schemas): { type: string; shape: JsonSchema | null } {
  if (schema.const !== undefined) return { type: JSON.stringify(schema.const), shape: null };
  if (schema.enum !== undefined)
    return { type: schema.enum.map((value) => JSON.stringify(value)).join(" | "), shape: null };
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const described = choices.map((choice) => describe(resolve(choice, schemas), schemas));
    const shapes = described.flatMap(({ shape }) => (shape === null ? [] : [shape]));
    const [only] = shapes;
    return {
      type: described.map(({ type }) => type).join(" | "),
      shape: shapes.length === 1 && only !== undefined ? only : null,
    };
  }
  if (schema.items !== undefined) {
    const { type, shape } = describe(resolve(schema.items, schemas), schemas);
    return { type: `list of ${type}`, shape };
  }
  const type = [schema.type ?? "anything"].flat().join(" | ");
  return {
    type: schema.format === undefined ? type : `${type} (${schema.format})`,
    shape: schema.properties === undefined ? null : schema,
  };
}

function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : (schemas[name] ?? {});
}

/** Describes explicitly chosen bounds; those of safe integers are not worth mentioning. */
function range(what: string, least: number | undefined, most: number | undefined): string | undefined {
  const isChosen = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isChosen(least) && isChosen(most)) return `${what}${least} to ${most}`;
  if (isChosen(least)) return `${what}at least ${least}`;
  return isChosen(most) ? `${what}at most ${most}` : undefined;
}
