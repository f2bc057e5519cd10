import { parseDatabaseUrl } from '../../../database/url.js';
import type { EmailSender } from '../../../email/port.js';
import { parseMailUrl } from '../../../email/url.js';
import type { EnvironmentVariable } from '../../../environment.js';
import type { FileStore, NewFile } from '../../../files/port.js';
import type { RedirectedRequest } from '../../../http-port.js';
import type { JsonObject } from '../../../json-value.js';
import { type HttpRequest, type McpServer, PortError, type Ports } from '../../../ports.js';
import {
  inputFieldsWithin,
  isSecretField,
  type Secrets,
  secretFinder,
  secretsOfTrigger,
  secretValues,
} from '../../../secrets.js';

/** Allowed hosts of a secret. The rule is passed on to sub-runs together with the secret. */
export interface HostRule {
  /** Id of the input field, or name of the project variable. */
  field: string;
  isVariable?: true;
  /** Plaintext; kept in the process or sealed. */
  values: string[];
  /** Host patterns: `api.example.com`, `*.example.com` (subdomains only) or `api.example.com:8443`. */
  hosts: string[];
}

const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$/;
const MAX_HOSTS = 50;

/** Returns the fault of `allowed_hosts` of an input field, or undefined. */
export function allowedHostsFault(field: JsonObject): string | undefined {
  const { allowed_hosts: hosts } = field;
  if (hosts === undefined || hosts === null) return undefined;
  if (!isSecretField(field)) return 'allowed_hosts is for secret fields: set is_secret to true, or leave it out';
  const isList = Array.isArray(hosts) && hosts.length > 0 && hosts.length <= MAX_HOSTS;
  if (isList && hosts.every(host => typeof host === 'string' && HOST.test(host))) return undefined;
  return `allowed_hosts must be a list of 1-${MAX_HOSTS} lower-case host names, such as "api.example.com", "*.example.com" or "api.example.com:8443"`;
}

/** Returns the allowed hosts of a field; empty: any host. */
export function allowedHostsOf({ allowed_hosts: hosts }: JsonObject): string[] {
  return Array.isArray(hosts) ? hosts.filter(host => typeof host === 'string') : [];
}

/** Returns the host rules of a graph for a run whose input contains plaintext secrets. */
export function hostRulesOf(data: unknown, input: Readonly<JsonObject>, secrets: Readonly<Secrets>): HostRule[] {
  return inputFieldsWithin(data).flatMap(({ field, node }) => {
    const hosts = allowedHostsOf(field);
    if (hosts.length === 0 || !isSecretField(field) || typeof field.id !== 'string') return [];
    const stored = secretsOfTrigger({ id: node, data: {} }, secrets);
    const candidates = [input, stored].flatMap(source =>
      Object.hasOwn(source, field.id as string) ? [source[field.id as string]] : [],
    );
    const values = secretValues(candidates).filter(value => value !== '');
    return values.length === 0 ? [] : [{ field: field.id, values, hosts }];
  });
}

/** Returns the host rules of secret project variables. */
export function hostRulesOfVariables(variables: readonly EnvironmentVariable[]): HostRule[] {
  return variables.flatMap(({ name, value, isSecret, allowedHosts }) =>
    isSecret && allowedHosts.length > 0
      ? [{ field: name, isVariable: true, values: secretValues([value]), hosts: [...allowedHosts] }]
      : [],
  );
}

/** Rejects requests that would send a secret to a host that its field does not allow. */
export class HostGuard {
  readonly #rules: { rule: HostRule; isIn: (value: unknown) => boolean }[];

  constructor(rules: readonly HostRule[]) {
    this.#rules = rules.map(rule => ({ rule, isIn: secretFinder(rule.values) }));
  }

  /**
   * Throws a PortError with code `host_not_allowed` if `payload` contains a secret that may not be sent to `address`.
   * `address` null: a destination without a host, such as a model.
   */
  check(address: string | null, payload: unknown): void {
    for (const { rule, isIn } of this.#rules) {
      if (address !== null && rule.hosts.some(host => matchesHost(host, address))) continue;
      if (!isIn([address, payload])) continue;
      throw new PortError(
        'host_not_allowed',
        `the secret ${rule.isVariable ? 'project variable' : 'input field'} ${JSON.stringify(rule.field)} may be sent to ${rule.hosts.join(', ')} only: add the host to its allowed_hosts, or leave the secret out here`,
      );
    }
  }

  /** Checks the headers of a server, and its OAuth credentials when they are sent to the authorization server. */
  guardServer(server: McpServer): McpServer {
    this.check(server.endpointUrl, server.headers);
    if (this.#rules.length === 0) return server;
    const { auth, ...rest } = server;
    const checkRedirect = this.#checkRedirect;
    if (!auth) return { ...rest, checkRedirect };
    const { clientId, clientSecret, scope } = auth;
    const assertDestination = (address: string) => this.check(address, [clientId, clientSecret, scope]);
    return { ...rest, checkRedirect, auth: { ...auth, assertDestination } };
  }

  /** A redirect may keep the body of its request, and its address may contain what the first server received. */
  readonly #checkRedirect = ({ url, headers, body }: RedirectedRequest): void => {
    this.check(url, [headers, textOfBody(body)]);
  };

  /**
   * Wraps the ports of a run so that they send secrets only to allowed hosts. Sub-runs receive the rules with the
   * secrets.
   */
  guard(ports: Ports): Ports {
    if (this.#rules.length === 0) return ports;
    const { http, mcp, llm, scenarios, databases, email, files } = ports;
    return {
      ...ports,
      http: {
        request: async (request, call) => {
          this.check(request.url, [request.headers, textOfBody(request.body)]);
          return http.request({ ...request, checkRedirect: this.#checkRedirect }, call);
        },
      },
      databases: {
        query: async (request, call) => {
          this.check(hostAddress(parseDatabaseUrl(request.connection)), [
            request.connection,
            request.parameters,
            request.query,
          ]);
          return databases.query(request, call);
        },
      },
      email: this.#guardEmail(email),
      files: this.#guardFiles(files),
      mcp: {
        schemaHash: tool => mcp.schemaHash(tool),
        listTools: async (server, call) => {
          return mcp.listTools(this.guardServer(server), call);
        },
        callTool: async (server, tool, args, call) => {
          this.check(server.endpointUrl, [tool.name, args]);
          return mcp.callTool(this.guardServer(server), tool, args, call);
        },
      },
      llm: {
        complete: async (request, call) => {
          this.check(null, request);
          return llm.complete(request, call);
        },
      },
      scenarios: {
        start: async request => {
          this.check(null, request.variables);
          return scenarios.start(request);
        },
        findEnd: runId => scenarios.findEnd(runId),
        cancel: runId => scenarios.cancel(runId),
      },
    };
  }

  #guardEmail(email: EmailSender): EmailSender {
    return {
      send: async (message, call) => {
        const { connection, attachments: _, ...parts } = message;
        this.check(hostAddress(parseMailUrl(connection)), [connection, parts]);
        return email.send(message, call);
      },
    };
  }

  #guardFiles(files: FileStore): FileStore {
    // The file could be sent to any host later.
    const checkFile = (file: NewFile) => this.check(null, [file.name, new TextDecoder().decode(file.bytes)]);
    return {
      read: (id, maxBytes) => files.read(id, maxBytes),
      write: async (file, key) => {
        checkFile(file);
        return files.write(file, key);
      },
      findPaid: key => files.findPaid(key),
      writePaid: async (file, usage, key) => {
        checkFile(file);
        return files.writePaid(file, usage, key);
      },
    };
  }
}

/** Texts of a form are in its bytes. */
function textOfBody(body: HttpRequest['body']): string | undefined {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
}

/** Returns a host and port as an address that `matchesHost` reads; null: unknown. */
export function hostAddress(server: { host: string; port: number } | undefined): string | null {
  if (!server) return null;
  return `http://${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}/`;
}

/** Returns true if a host pattern allows an address. */
export function matchesHost(pattern: string, address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const [host = '', port] = pattern.split(/:(?=\d+$)/);
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  const name = url.hostname.replace(/\.$/, '');
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) && name.length > host.length - 1 : name === host;
}

/** Returns true if `next` allows only hosts that `before` allows. An empty list allows all hosts. */
export function isNarrower(next: readonly string[], before: readonly string[]): boolean {
  if (before.length === 0) return true;
  return next.length > 0 && next.every(host => before.includes(host));
}
