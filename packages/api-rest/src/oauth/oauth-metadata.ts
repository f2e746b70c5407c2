import { capabilities, isLoopbackHost, type ApiKeyScope } from "@workspace/core";
import { basePathOf } from "../http/base-path.ts";
import { collectToolScopes } from "../mcp/tool-scopes.ts";

/** Where programs find out how to ask a user for access to `/mcp`, and what those documents say. */
export interface OAuthMetadata {
  /** The URL of `/mcp`, for which access is asked. */
  readonly resource: string;
  /** What a program may ask for. */
  readonly scopes: readonly ApiKeyScope[];
  /** The URL of the document about it, which a refused request names. */
  readonly resourceMetadataUrl: string;
  /** By path. */
  readonly documents: ReadonlyMap<string, object>;
}

/**
 * What the specifications of OAuth ask for (RFC 8414, RFC 9207, RFC 9728). Null if the server is reached without encryption over a network, where
 * OAuth must not be used. Below a base path, programs look for the documents with that path after `/.well-known/…`, at the host.
 */
export function describeOAuth(baseUrl: string): OAuthMetadata | null {
  const { protocol, hostname, origin } = new URL(baseUrl);
  if (protocol !== "https:" && !isLoopbackHost(hostname)) return null;
  const scopes = collectToolScopes(capabilities);
  const basePath = basePathOf(baseUrl);
  const resource = `${baseUrl}/mcp`;
  const aboutResourcePath = `/.well-known/oauth-protected-resource${basePath}/mcp`;
  const aboutResource = {
    resource,
    resource_name: "Workspace",
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_documentation: `${baseUrl}/docs`,
  };
  const aboutServer = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    response_types_supported: ["code"],
    authorization_response_iss_parameter_supported: true,
    grant_types_supported: ["authorization_code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: scopes,
    service_documentation: `${baseUrl}/docs`,
  };
  return {
    resource,
    scopes,
    resourceMetadataUrl: `${origin}${aboutResourcePath}`,
    documents: new Map<string, object>([
      [aboutResourcePath, aboutResource],
      [`/.well-known/oauth-protected-resource${basePath}`, aboutResource],
      [`/.well-known/oauth-authorization-server${basePath}`, aboutServer],
    ]),
  };
}
