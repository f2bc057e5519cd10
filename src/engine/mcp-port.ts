import type { CallContext } from './call-context.js';
import type { RedirectedRequest } from './http-port.js';
import type { JsonObject } from './json-value.js';

/** Transport protocol of MCP. `auto` tries streamable HTTP, then SSE. */
export type McpTransport = 'auto' | 'sse' | 'streamable_http';

/** Address and transport of an MCP server. */
export interface McpServer {
  /** Empty: that of the connection. */
  endpointUrl: string;
  /** Connection that adds credentials. Absent: none. */
  connectionId?: number;
  transport: McpTransport;
  headers: Record<string, string>;
  /** Time limit in milliseconds, from the first connection to the last response; for a call as a task, of each response. */
  timeoutMs: number;
  /**
   * Time limit of a task in milliseconds, from its creation, instead of `timeoutMs`. If it is given, tools that permit tasks are
   * called as one; otherwise only those that require them, without a limit of their own.
   */
  taskTimeoutMs?: number;
  /** Absent: requests are sent with `headers` only. */
  auth?: McpClientCredentials;
  /** Returns the access token of a connection, instead of `auth`. `refused`: a token that the server has refused. */
  accessToken?(refused?: string): Promise<string>;
  /**
   * Answer to questions of the server to the user. Absent: they are declined. `ask`: a call that meets a question without an answer
   * in `answers` is cancelled and returns the question.
   */
  elicitation?: 'accept_defaults' | 'ask';
  /** Answers to questions that the server asked in earlier calls. Absent: none. */
  answers?: readonly McpAnswer[];
  /** Throws a PortError if a redirect must not be followed. Absent: redirects to any host are followed. */
  checkRedirect?(next: RedirectedRequest): void;
}

/** What a server named when it refused a request for lack of authorization. */
export interface McpChallenge {
  /** URL of the metadata of the protected resource (RFC 9728). */
  resourceMetadataUrl?: string;
  /** The demanded scopes, separated by spaces. */
  scope?: string;
}

/** The client of an authorized user at an authorization server. */
export interface McpOAuthClient {
  tokenUrl: string;
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
  clientAuthentication: 'basic' | 'post';
  /** The MCP server for which tokens are requested (RFC 8707). Null: the server names none. */
  resource: string | null;
  /** The requested scopes, separated by spaces. Null: none. */
  scopes: string | null;
}

/** The authorization of a user for an MCP server. Absent members are found out or registered. */
export interface McpAuthorizationRequest {
  /** URL of the MCP server. */
  url: string;
  redirectUrl: string;
  /** Client that is registered at the authorization server. */
  client?: { id: string; secret: string | null; assertDestination(address: string): void };
  /** URL that describes the client, for servers that accept it as id. */
  clientMetadataUrl?: string;
  /** Scopes instead of those that the server names, separated by spaces. */
  scopes?: string;
  /** Scopes in addition, separated by spaces. */
  furtherScopes?: string;
}

/** A begun authorization. */
export interface McpAuthorization {
  /** The address that the user opens, without the parameter `state`. */
  authorizationUrl: string;
  /** PKCE: the secret whose hash the address contains (RFC 7636). */
  verifier: string;
  client: McpOAuthClient;
}

/** A question that an MCP server asks the user during a tool call. */
export interface McpQuestion {
  message: string;
  /** JSON Schema of the answer, an object with flat members. */
  schema: JsonObject;
}

/** The answer to a question. It is given only to the same question. */
export interface McpAnswer extends McpQuestion {
  action: 'accept' | 'decline' | 'cancel';
  /** Present for `accept`. */
  content?: JsonObject;
}

/** Credentials of an OAuth client, with a secret or a private key. */
export interface McpClientCredentials {
  clientId: string;
  clientSecret?: string;
  /** PKCS #8 in PEM format, for signed assertions (RFC 7523). */
  privateKey?: string;
  /** Signature algorithm for `privateKey`. Absent: ES256. */
  algorithm?: string;
  /** Scopes separated by spaces. Absent: those that the server names. */
  scope?: string;
  /** URL of the authorization server. Absent: the one that the MCP server names, if it has the same host. */
  issuer?: string;
  /** Throws a PortError if the credentials must not be sent to this address. */
  assertDestination?(address: string): void;
}

/** A tool as the MCP server describes it. */
export interface McpTool {
  name: string;
  [member: string]: unknown;
}

/** Selects a tool by name. With `schemaHash` the call fails if the tool's schema has changed. */
export interface McpToolChoice {
  name: string;
  schemaHash?: string;
}

/** The result of an MCP tool call. */
export interface McpToolResult {
  content: unknown[];
  structuredContent?: unknown;
  isError: boolean;
  /** Schema hash of the tool as the server described it directly before the call. */
  schemaHash: string;
  /** Present only with the elicitation `ask`: the server asked this, and the call was cancelled. */
  question?: McpQuestion;
}

/** Client of MCP servers. Each call opens a session and closes it before it returns. */
export interface McpCaller {
  listTools(server: McpServer, call: Pick<CallContext, 'signal' | 'place'>): Promise<McpTool[]>;
  /** Hash of the parts of a tool description that callers and models rely on. */
  schemaHash(tool: McpTool): string;
  callTool(
    server: McpServer,
    tool: McpToolChoice,
    args: Record<string, unknown>,
    call: Pick<CallContext, 'signal' | 'place'>,
  ): Promise<McpToolResult>;
}
