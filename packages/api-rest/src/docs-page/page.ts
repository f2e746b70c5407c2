import { GUIDES, viewGuides } from "./guides.ts";
import { html, type Html } from "./html.ts";
import { parseOpenApi, type OpenApiDocument, type Operation } from "./openapi.ts";
import { viewNotes, viewSchema, type Schemas } from "./schema-view.ts";

export interface DocumentLink {
  readonly document: object;
  /** The URL of the document itself. */
  readonly href: string;
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** One page with the guides and every endpoint of the given documents; plain HTML that runs no script and loads one style sheet. */
export function renderDocsPage(links: readonly DocumentLink[], styleHref: string): string {
  const documents = links.map(({ document, href }) => ({ document: parseOpenApi(document), href }));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Workspace API</title>
        <link rel="stylesheet" href="${styleHref}" />
      </head>
      <body>
        <nav aria-label="Contents">
          <h2><a href="#guides">Guides</a></h2>
          <ul>
            ${GUIDES.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>
          ${documents.map(({ document }) => viewContents(document))}
        </nav>
        <main>${viewGuides()}${documents.map(({ document, href }) => viewDocument(document, href))}</main>
      </body>
    </html>`;
  return page.text.replaceAll(/\n\s+/g, "\n");
}

function viewContents(document: OpenApiDocument): Html {
  const base = baseOf(document);
  return html`<h2><a href="#${anchor(base)}">${document.info.title}</a></h2>
    <ul>
      ${[...groupByTag(document).keys()].map((tag) => html`<li><a href="#${anchor(base, tag)}">${tag}</a></li>`)}
    </ul>`;
}

function viewDocument(document: OpenApiDocument, href: string): Html {
  const base = baseOf(document);
  const { schemas } = document.components;
  return html`<section id="${anchor(base)}">
    <h1>${document.info.title} <small>${document.info.version}</small></h1>
    <p>${document.info.description} The document itself: <a href="${href}">${href}</a></p>
    ${[...groupByTag(document)].map(
      ([tag, endpoints]) =>
        html`<h2 id="${anchor(base, tag)}">${tag}</h2>
          ${endpoints.map((endpoint) => viewEndpoint(base, endpoint, schemas))}`,
    )}
  </section>`;
}

function viewEndpoint(base: string, { method, path, operation }: Endpoint, schemas: Schemas): Html {
  const body = operation.requestBody?.content;
  const url = `${operation.servers?.[0]?.url ?? base}${path}`.replace(/^\/+/, "/");
  return html`<details>
    <summary>
      <span class="method ${method}">${method.toUpperCase()}</span> <code>${url}</code>
      <span>${operation.summary}</span>
    </summary>
    <div id="${anchor(base, operation.operationId)}">
      ${operation.description === undefined ? null : html`<p>${operation.description}</p>`}
      ${operation.parameters.length === 0 ? null : viewParameters(operation, schemas)}
      ${
        body === undefined
          ? null
          : html`<h3>Body</h3>
              ${viewContent(body, schemas)}`
      }
      <h3>Responses</h3>
      ${Object.entries(operation.responses).map(([status, response]) => {
        const isFailure = Number(status) >= 400;
        return html`<p><strong>${status}</strong> ${response.description}</p>
          ${isFailure || response.content === undefined ? null : viewContent(response.content, schemas)}`;
      })}
    </div>
  </details>`;
}

function viewParameters({ parameters }: Operation, schemas: Schemas): Html {
  return html`<h3>Parameters</h3>
    <ul class="fields">
      ${parameters.map(
        ({ name, in: location, required, description, schema }) =>
          html`<li>
            <code class="name">${name}</code><span class="optional">${location}${required ? "" : ", optional"}</span>
            ${viewSchema(schema, schemas)} ${viewNotes({ ...schema, description: description ?? schema.description })}
          </li>`,
      )}
    </ul>`;
}

function viewContent(content: NonNullable<Operation["requestBody"]>["content"], schemas: Schemas): Html[] {
  return Object.entries(content ?? {}).map(
    ([type, { schema = {} }]) =>
      html`<p class="notes">${type}</p>
        ${viewSchema(schema, schemas)}`,
  );
}

function groupByTag({ paths }: OpenApiDocument): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }]);
    }
  }
  return groups;
}

function baseOf(document: OpenApiDocument): string {
  return document.servers[0]?.url ?? "";
}

function anchor(...parts: readonly string[]): string {
  return parts
    .join("-")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-/, "");
}
