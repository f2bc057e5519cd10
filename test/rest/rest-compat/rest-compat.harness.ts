import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { readOperations } from '../../../rest-compat/generator/read-operations.js';
import { createRestHandler, type RestHandlerOptions } from '../../../rest-compat/runtime/handler.js';

export const directives = readFileSync('rest-compat/directives.graphql', 'utf8');

type Resolver = GraphQLFieldResolver<unknown, unknown, never>;

/** A small API for one test file: its schema, its operations, and the resolvers of its fields. */
export interface Api {
  readonly schema: string;
  readonly operations: string;
  readonly resolve?: Record<string, Resolver>;
  readonly options?: Partial<RestHandlerOptions<unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: unknown;
}

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** An object is sent as JSON with its content type, text and bytes as they are. */
  readonly body?: unknown;
}

/** Sends one request over HTTP to a server that stops afterwards. */
export async function ask(api: Api, { method = 'GET', path, headers = {}, body }: TestRequest): Promise<Answer> {
  const handler = createRestHandler<unknown>({
    ...routesOf(api),
    contextFor: () => ({}),
    onError: () => {},
    ...api.options,
  });
  const server = createServer(async (req, res) => {
    res.setHeader('X-Request-Id', 'request-1');
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const read = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    // 299 is a status that the handler never sends.
    handler(Object.assign(req, { body: read }), res, () => res.writeHead(299).end('passed on'));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    return await exchange((server.address() as AddressInfo).port, {
      method,
      path,
      headers: isRaw ? headers : { 'content-type': 'application/json', ...headers },
      body: isRaw ? body : JSON.stringify(body),
    });
  } finally {
    server.close();
  }
}

function routesOf({ schema, operations, resolve = {} }: Api) {
  const built = buildSchema(schema);
  const read = readOperations(built, directives, [{ name: 'operations/test.graphql', text: operations }]);
  if (read.faults.length > 0) throw new Error(read.faults.join('\n'));
  attach(built, resolve);
  return { schema: built, routes: read.operations.map(operation => operation.route) };
}

/** `thing` is a top-level field, `Thing.detail` a field of a type. */
function attach(schema: GraphQLSchema, resolve: Record<string, Resolver>): void {
  for (const [name, resolver] of Object.entries(resolve)) {
    const [type, field] = name.includes('.') ? name.split('.') : [undefined, name];
    const owners = type ? [schema.getType(type)] : [schema.getQueryType(), schema.getMutationType()];
    for (const owner of owners) {
      const found = isObjectType(owner) ? owner.getFields()[field ?? ''] : undefined;
      if (found) found.resolve = resolver as GraphQLFieldResolver<unknown, unknown>;
    }
  }
}

function exchange(port: number, sent: TestRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body } = sent;
    const outgoing = httpRequest({ port, method, path, headers, agent: false }, incoming => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = incoming.headers['content-type']?.includes('json') && text !== '';
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** An error as resolvers throw theirs. */
export function refusal(code: string, more: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(`because ${code}`), { extensions: { code, ...more } });
}
