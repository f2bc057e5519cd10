import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import Cursor from 'pg-cursor';
import type { DatabaseAnswer, DatabaseCaller, DatabaseRequest } from '../engine/database/port.js';
import { type DatabaseAddress, parseDatabaseUrl } from '../engine/database/url.js';
import { PortError } from '../engine/ports.js';
import { MASK } from '../engine/secrets.js';
import { OutboundError } from '../platform/outbound/errors.js';
import type { SocketOpener } from '../platform/outbound/socket.js';
import { PostgresMessages } from './postgres-messages.js';

const MAX_RESULT_BYTES = 4 * 1024 * 1024;
/** Maximum characters of the message of a server in an error. */
const MAX_MESSAGE = 500;

/** Creates the caller of databases that users name. */
export function createDatabaseCaller(openSocket: SocketOpener): DatabaseCaller {
  return {
    async query(request, { signal }) {
      const address = parseDatabaseUrl(request.connection);
      if (!address) throw new PortError('invalid_connection', 'the connection is not a PostgreSQL URL');
      const socket = await openSocket(address.host, address.port, signal).catch((error: unknown) => {
        throw error instanceof OutboundError ? new PortError(error.code, error.message) : error;
      });
      const abort = () => socket.destroy();
      signal.addEventListener('abort', abort, { once: true });
      const client = new pg.Client(clientConfig(address, socket));
      checkMessages(client);
      try {
        return await Promise.race([execute(client, request), connectionEnd(client)]);
      } catch (error) {
        throw signal.aborted ? signal.reason : toPortError(error, address);
      } finally {
        signal.removeEventListener('abort', abort);
        socket.destroy();
      }
    },
  };
}

/** Rejects when the connection breaks. The driver leaves some calls pending, such as the one that closes a cursor. */
function connectionEnd(client: pg.Client): Promise<never> {
  return new Promise((_, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('Connection terminated unexpectedly')));
  });
}

/** Every member is set, because the driver reads absent and empty ones from the environment of the process. */
function clientConfig({ host, port, user, password, database, tls }: DatabaseAddress, socket: Socket) {
  // The socket is already connected to the checked address.
  const stream = Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.emit('connect'));
      return socket;
    },
  });
  return {
    ...{ host, port, user, database },
    password: () => password,
    ssl: tls === 'disable' ? false : { rejectUnauthorized: tls === 'verify-full' },
    ...{ stream: () => stream, options: '-c client_min_messages=error', application_name: 'scenarium' },
    ...{ client_encoding: 'UTF8', connectionTimeoutMillis: 10_000 },
  };
}

/** The parts of the connection that the types of the driver leave out. */
interface DriverConnection extends EventEmitter {
  /** Called with the stream of the messages, which is the decrypted one. */
  attachListeners(stream: EventEmitter): void;
}

/**
 * Ends the connection when the server sends what is too large, malformed or not supported. The driver would collect a
 * row of any size, and its listeners throw errors that end the process.
 */
function checkMessages(client: pg.Client): void {
  const { connection } = client as unknown as { connection: DriverConnection };
  const attachListeners = connection.attachListeners.bind(connection);
  connection.attachListeners = stream => {
    const checked = new EventEmitter();
    attachListeners(checked);
    const messages = new PostgresMessages();
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        if (bytes > MAX_RESULT_BYTES)
          throw new PortError('result_too_large', `the result is larger than ${MAX_RESULT_BYTES} bytes`);
        const complete = messages.add(chunk);
        if (complete.length > 0) checked.emit('data', complete);
      } catch (error) {
        const invalid = () => new Error('the server sent an invalid message', { cause: error });
        (stream as Socket).destroy(error instanceof PortError ? error : invalid());
      }
    });
  };
  for (const event of ['copyInResponse', 'copyOutResponse', 'copyData'])
    connection.on(event, () => {
      throw new PortError('database_error', 'COPY is not supported; use SELECT or INSERT', { isFinal: true });
    });
}

async function execute(client: pg.Client, request: DatabaseRequest): Promise<DatabaseAnswer> {
  const { query, parameters, isReadOnly, maxRows, timeoutMs } = request;
  await client.connect();
  await client.query(`begin ${isReadOnly ? 'read only' : 'read write'}; set local statement_timeout = ${timeoutMs}`);
  const cursor = client.query(
    new Cursor<Record<string, unknown>>(query, [...parameters], { types: { getTypeParser } }),
  );
  const { rows, result } = await new Promise<{ rows: Record<string, unknown>[]; result: pg.QueryResult }>(
    (resolve, reject) => {
      cursor.read(maxRows + 1, (error, read, outcome) =>
        error ? reject(error) : resolve({ rows: read, result: outcome }),
      );
    },
  );
  await cursor.close();
  await client.query('commit');
  const columns = result.fields.map(({ name }) => name);
  const kept = rows.slice(0, maxRows);
  return {
    rows: kept,
    rowCount: columns.length > 0 ? kept.length : (result.rowCount ?? 0),
    columns,
    isTruncated: rows.length > maxRows,
  };
}

const { builtins } = pg.types;
const numeric = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text);
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, text => text === 't'],
  [builtins.INT2, numeric],
  [builtins.INT4, numeric],
  [builtins.INT8, text => (Number.isSafeInteger(Number(text)) ? Number(text) : text)],
  [builtins.FLOAT4, numeric],
  [builtins.FLOAT8, numeric],
  [builtins.JSON, parseJson],
  [builtins.JSONB, parseJson],
]);

/** Returns the text if it is not JSON, which a server can send that is not PostgreSQL. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Values of other types are texts, which are exact and independent of the time zone of the process. */
function getTypeParser(oid: number): (text: string) => unknown {
  return parsers.get(oid) ?? (text => text);
}

/** The message has no password, even if the server sends it back. */
function toPortError(error: unknown, { password }: DatabaseAddress): PortError {
  if (error instanceof PortError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = String(message ?? 'the connection failed');
  const spellings = [password, encodeURIComponent(password)].filter(spelling => spelling !== '');
  const safe = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, MASK), text);
  const short = safe.slice(0, MAX_MESSAGE).toWellFormed();
  if (error instanceof pg.DatabaseError && typeof code === 'string')
    return new PortError('database_error', `PostgreSQL reported ${code}: ${short}`);
  return new PortError('connection_failed', `the connection to the database failed: ${short}`);
}
