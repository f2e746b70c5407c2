import { html, type Html } from "./html.ts";

interface Guide {
  readonly id: string;
  readonly title: string;
  readonly text: Html;
}

/** What applies to all endpoints, in the order in which a developer needs it. */
export const GUIDES: readonly Guide[] = [
  {
    id: "guide-access",
    title: "Access",
    text: html`<p>
        Programs use <code>/api/v1</code> with a key: <code>Authorization: Bearer …</code>. People create keys under
        Connect in the dashboard, each with the scopes that it needs and, if wanted, a day on which it ends. Without a
        key the answer is 401, without the scope 403.
      </p>
      <p>
        A program that speaks MCP needs no key to begin with: it asks the user by browser (OAuth 2.1), as the
        <code>WWW-Authenticate</code> header of the refusal says. It gets a key with what the user allows.
      </p>
      <pre>curl -H "Authorization: Bearer $WORKSPACE_API_KEY" http://localhost:3000/api/v1/tasks</pre>
      <p>
        For TypeScript and JavaScript there is a typed client in <code>packages/client</code>, which also retries and
        reads long lists.
      </p>
      <p>
        <code>/api</code> is the dashboard’s own API: the session’s cookie, or the <code>X-API-Token</code> header with
        the token of whoever runs the service. Requests that change something are refused if they come from a page of
        another site.
      </p>`,
  },
  {
    id: "guide-requests",
    title: "Requests and errors",
    text: html`<p>
        Bodies are JSON. Nothing is coerced or silently ignored: an unknown query parameter, a wrong type or an invalid
        value is 400 and changes nothing. Times are ISO 8601 in UTC; a day without a time is <code>YYYY-MM-DD</code>.
      </p>
      <pre>
{"message": "status must be one of todo, in_progress, blocked, done", "issues": [{"path": "status", "message": "…"}]}</pre>
      <p>
        404 means that there is no such thing, 405 names the methods that there are in <code>Allow</code>, 409 that a
        name is taken, 412 that something has changed since it was read, 413 that the body is too large, 429 that
        <code>Retry-After</code> seconds have to pass. Of 5xx, 503 says what is not available.
        <code>X-Request-Id</code> of a response is the one that was sent, or a new one; the access log has it too.
      </p>`,
  },
  {
    id: "guide-lists",
    title: "Long lists",
    text: html`<p>
      A list returns everything, or with <code>limit</code> (1 to 1,000) one page and a <code>nextCursor</code>, which
      is sent as <code>cursor</code> to get the next. It is null at the end. A cursor stays valid while rows come and
      go: none is returned twice, and none that was there all the time is left out.
    </p>`,
  },
  {
    id: "guide-conflicts",
    title: "Writing together",
    text: html`<p>
      Files and notes have a hash, which reads send as <code>ETag</code>. Send it back as <code>If-Match</code>, or as
      <code>expectedHash</code> in the body: if somebody else has written meanwhile, the answer is 412 and nothing is
      overwritten. Tasks are taken from a queue with <code>POST /api/v1/tasks/claim</code>, which gives a task to one
      program at a time; its lease runs out unless it is renewed.
    </p>`,
  },
  {
    id: "guide-retries",
    title: "Sending again",
    text: html`<p>
        A POST of <code>/api/v1</code> can be sent again without doing its work twice, for example after a timeout: with
        an <code>Idempotency-Key</code> of your choice, such as a new UUID for each request.
      </p>
      <pre>
curl -H "Authorization: Bearer $WORKSPACE_API_KEY" -H "Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324" \\
  -H "Content-Type: application/json" -d '{"title": "Water the plants"}' http://localhost:3000/api/v1/tasks</pre>
      <p>
        For 24 hours, the same request with the same key gets the response of the first, byte for byte, with
        <code>Idempotency-Replayed: true</code>. Another request with it is 422, and one that comes while the first is
        still being carried out 409. An error changed nothing and is not kept, so the request can be sent again with the
        same key once the reason is gone. What is changed in the database and the response are stored together, so this
        holds even if the server is killed in between; for notes and for tests of webhooks it then says with 409 that it
        is not known what was done. Keys mean nothing for requests that only read. Each API key has its own, of which
        the last 10,000 are kept.
      </p>`,
  },
  {
    id: "guide-realtime",
    title: "Changes as they happen",
    text: html`<p>
        The WebSocket at <code>/api/ws</code> tells of every change, and with <code>?afterSeq=</code> of those since the
        last one seen; it is described by <a href="/asyncapi.json">/asyncapi.json</a>. A program that does not stay
        connected gets signed requests instead: <code>/api/v1/webhooks</code>.
      </p>
      <p>
        Or it asks: <code>GET /api/v1/changes</code> returns the present <code>position</code>, and with
        <code>?after=</code> a position what has changed since, as far as the key may read it, with the next position.
        Get a position first, then read everything, then ask for changes from that position on. 410 means that the
        changes are no longer known, as the log keeps the last 20,000 of at most 30 days: begin with a new position.
      </p>`,
  },
  {
    id: "guide-limits",
    title: "Limits",
    text: html`<p>
      Whoever runs the service may limit how many requests a key can make in a minute. Every response then has
      <code>RateLimit-Policy: "key";q=600;w=60</code>, for 600 requests in 60 seconds, and
      <code>RateLimit: "key";r=599;t=60</code>, for 599 that are left for the next 60 seconds. Above it, the response is
      429 with <code>Retry-After</code>. The requests of assistants count as well.
    </p>`,
  },
  {
    id: "guide-versions",
    title: "Changes of the API",
    text: html`<p>
      Routes, optional fields and headers are added at any time; a program ignores what it does not know. What exists
      keeps its meaning within <code>v1</code>. What is to be removed is deprecated for at least a year: its responses
      have <code>Deprecation</code>, then also <code>Sunset</code> with the time when it may be gone, and the OpenAPI
      document says what to use instead. Nothing is deprecated. <code>docs/api-changelog.md</code> lists what has
      changed.
    </p>`,
  },
  {
    id: "guide-mcp",
    title: "Assistants",
    text: html`<p>
        <code>/mcp</code> is a server of the Model Context Protocol (streamable HTTP) with the same keys. A key sees the
        tools of its scopes, whose results are also structured, open tasks and notes as resources, and a few prompts.
        One that can only run commands uses the script from <code>/api/v1/skill</code>. A summary for models is at
        <a href="/llms.txt">/llms.txt</a>.
      </p>
      <pre>
claude mcp add --transport http my-workspace http://localhost:3000/mcp --header "Authorization: Bearer $WORKSPACE_API_KEY"</pre>`,
  },
];

/** The guides as a section of the page. */
export function viewGuides(): Html {
  return html`<section id="guides">
    <h1>Guides</h1>
    ${GUIDES.map(
      ({ id, title, text }) =>
        html`<h2 id="${id}">${title}</h2>
          ${text}`,
    )}
  </section>`;
}
