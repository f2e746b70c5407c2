import { startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

/** The list of the tasks without a project. */
export const NO_PROJECT = "/caldav/tasks/no-project/";

export interface DavOptions {
  readonly text?: string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly password?: string;
}

/** A server with a project, and what a calendar program does with it. */
export interface CaldavServer {
  readonly server: TestServer;
  readonly api: Request;
  readonly projectId: string;
  /** A key that may read and write tasks. */
  readonly key: string;
  readonly createKey: (...scopes: string[]) => Promise<string>;
  readonly dav: (method: string, path: string, options?: DavOptions) => Promise<ApiResponse>;
  readonly put: (path: string, text: string, headers?: Record<string, string>) => Promise<ApiResponse>;
  readonly find: (search: string) => Promise<any[]>;
}

export async function startCaldavServer(): Promise<CaldavServer> {
  const server = await startTestServer();
  const api = server.withToken;
  const project = await api("POST", "/api/projects", { body: { name: "Pond & garden", color: "#3b82f6" } });
  const createKey = async (...scopes: string[]): Promise<string> =>
    (await api("POST", "/api/api-keys", { body: { name: "Phone", scopes } })).body.data.key;
  const key = await createKey("tasks:read", "tasks:write");
  const dav = (method: string, path: string, options: DavOptions = {}): Promise<ApiResponse> => {
    const { text, type = "application/xml; charset=utf-8", headers = {}, password = key } = options;
    return server.anonymous(method, path, {
      headers: { Authorization: basic(password), ...headers },
      ...(text !== undefined && { raw: { text, type } }),
    });
  };
  return {
    server,
    api,
    projectId: project.body.data.id,
    key,
    createKey,
    dav,
    put: (path, text, headers = {}) => dav("PUT", path, { text, type: "text/calendar; charset=utf-8", headers }),
    find: async (search) => (await api("GET", `/api/tasks?search=${search}`)).body.data,
  };
}

export function basic(password: string, user = "ada@example.com"): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** A calendar object with a task of these properties and components. */
export function todo(...lines: string[]): string {
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", "BEGIN:VTODO", ...lines, "END:VTODO", "END:VCALENDAR"]
    .map((line) => `${line}\r\n`)
    .join("");
}

const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"';

export function propfind(...names: string[]): string {
  return `<?xml version="1.0"?><d:propfind ${NAMESPACES}><d:prop>${names.map((name) => `<${name}/>`).join("")}</d:prop></d:propfind>`;
}

export function multiget(...hrefs: string[]): string {
  return `<c:calendar-multiget ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>
  ${hrefs.map((href) => `<d:href>${href}</d:href>`).join("")}</c:calendar-multiget>`;
}

export function query(filter: string): string {
  return `<c:calendar-query ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>
  <c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO">${filter}</c:comp-filter></c:comp-filter></c:filter>
  </c:calendar-query>`;
}

export function sync(token: string, limit = ""): string {
  return `<d:sync-collection ${NAMESPACES}><d:sync-token>${token}</d:sync-token><d:sync-level>1</d:sync-level>
  ${limit}<d:prop><d:getetag/></d:prop></d:sync-collection>`;
}

export function limitTo(count: number | string): string {
  return `<d:limit><d:nresults>${count}</d:nresults></d:limit>`;
}

export function tokenIn(xml: string): string {
  return /<d:sync-token>([^<]+)/.exec(xml)?.[1] ?? "";
}

export function hrefsIn(xml: string): string[] {
  return [...xml.matchAll(/<d:href>([^<]*)<\/d:href>/g)].map(([, href = ""]) => href);
}
