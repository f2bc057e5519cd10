import type { CallContext } from './call-context.js';
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
  /** Time limit in milliseconds, from the first connection to the last response; with a task of each response. */
  timeoutMs: number;
  /**
   * Time limit of a task in milliseconds, from its creation, instead of `timeoutMs`. If it is given, tools that permit tasks are
   * called as one; otherwise only those that require them, without a limit of their own.
   */
  taskTimeoutMs?: number;
  /** Absent: requests are sent with `headers` only. */
  auth?: McpClientCredentials;
  /**
   * Answer to questions of the server to the user. Absent: they are declined. `ask`: a call that meets a question without an answer
   * in `answers` is cancelled and returns the question.
   */
  elicitation?: 'accept_defaults' | 'ask';
  /** Answers to questions that the server asked in earlier calls. Absent: none. */
  answers?: readonly McpAnswer[];
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
