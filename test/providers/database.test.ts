import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createSocketOpener } from '../../src/platform/outbound/socket.js';
import { createDatabaseCaller } from '../../src/providers/database.js';

const JSON_TYPE = 114;
const MAX_COLUMNS = 32_767;
const databases = createDatabaseCaller(createSocketOpener({ allow: ['127.0.0.1'] }));
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const text = (value: string) => Buffer.from(`${value}\0`);
const int16 = (value: number) => Buffer.from([value >> 8, value]);
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(4 + body.length), body]);
}

const ready = message('Z', Buffer.from('I'));
const completed = (tag: string) => message('C', text(tag));
const columns = (type: number) =>
  message('T', int16(1), text('j'), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0));
const row = (value: string) => message('D', int16(1), int32(value.length), Buffer.from(value));

/** The answers of a server by the message of the client: Query, Describe, Execute and Sync. */
interface Answers {
  Q?: Buffer;
  D?: Buffer;
  E?: Buffer;
  S?: Buffer;
  startup?: Buffer;
}

const CORRECT = {
  startup: Buffer.concat([message('R', int32(0)), ready]),
  Q: Buffer.concat([completed('BEGIN'), completed('SET'), ready]),
  P: message('1'),
  B: message('2'),
  D: columns(JSON_TYPE),
  E: Buffer.concat([row('{}'), completed('SELECT 1')]),
  S: ready,
};

/** Answers each message of the client, without a check of their order. */
async function listen(answers: Answers): Promise<string> {
  const replies = new Map(Object.entries({ ...CORRECT, ...answers }));
  const server = createServer(socket => {
    let isStarted = false;
    socket.on('error', () => {});
    socket.on('data', received => {
      if (!isStarted) socket.write(replies.get('startup') ?? '');
      else
        for (let at = 0; at < received.length; at += 1 + received.readInt32BE(at + 1))
          socket.write(replies.get(String.fromCharCode(received[at]!)) ?? '');
      isStarted = true;
    });
  });
  servers.push(server);
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  return `postgres://user:password@127.0.0.1:${port}/data?sslmode=disable`;
}

async function query(answers: Answers, signal = AbortSignal.timeout(120_000)) {
  const request = { query: 'select 1', parameters: [], isReadOnly: true, maxRows: 2, timeoutMs: 60_000 };
  return databases.query({ ...request, connection: await listen(answers) }, { signal });
}

const invalid = { code: 'connection_failed', message: expect.stringContaining('the server sent an invalid message') };
const unexpected = { code: 'connection_failed' };
const field = (length: number) => int32(length);

describe('a database', () => {
  it('returns a value as text if it is not of the type of its column', async () => {
    expect((await query({})).rows).toEqual([{ j: {} }]);
    expect((await query({ E: Buffer.concat([row('{bad'), completed('SELECT 1')]) })).rows).toEqual([{ j: '{bad' }]);
    const numbers = { D: columns(23), E: Buffer.concat([row('x'), completed('SELECT 1')]) };
    expect((await query(numbers)).rows).toEqual([{ j: 'x' }]);
  });

  it.each([
    ['a row without a description', { Q: Buffer.concat([row('{}'), ready]) }, unexpected],
    ['rows in front of a description', { D: row('{}') }, invalid],
    ['a row with more values than columns', { E: message('D', int16(2), field(-1), field(-1)) }, invalid],
    ['a row with a negative number of values', { E: message('D', int16(-1)) }, invalid],
    ['a value that is longer than its row', { E: message('D', int16(1), field(100)) }, invalid],
    ['a row that steps back', { E: message('D', int16(MAX_COLUMNS), field(4), field(0), field(-8)) }, invalid],
    ['a negative number of columns', { D: message('T', int16(-1)) }, invalid],
    ['a description that ends early', { D: message('T', int16(3), text('a')) }, invalid],
    ['an unknown message', { E: message('!') }, unexpected],
    ['an unknown authentication', { startup: message('R', int32(99)) }, invalid],
    ['a message that is shorter than its length', { E: Buffer.from([68, 0, 0, 0, 3, 0, 0]) }, invalid],
    ['an error without an end', { E: message('E', Buffer.from('Mfailed\0')) }, invalid],
    ['a notice without an end', { startup: message('N', Buffer.from('Mfailed')) }, invalid],
  ])('fails after %s', async (_, answers, error) => {
    await expect(query(answers)).rejects.toMatchObject(error);
  });

  it('that answers with text is waited for until the time limit', async () => {
    const answers = { startup: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') };
    const signal = new AbortController();
    const timer = setTimeout(() => signal.abort(Object.assign(new Error('late'), { code: 'timeout' })), 1000);
    const failed = expect(query(answers, signal.signal)).rejects.toMatchObject({ code: 'timeout' });
    await failed.finally(() => clearTimeout(timer));
  });

  it('fails when the connection ends while a cursor is closed', async () => {
    const answers = { E: Buffer.concat([row('{}'), message('s')]), S: message('R', int32(99)) };
    await expect(query(answers)).rejects.toMatchObject(invalid);
  });

  it.each([
    ['to the client', message('H', Buffer.from([0]), int16(0))],
    ['from the client', message('G', Buffer.from([0]), int16(0))],
    ['without a beginning', message('d', Buffer.from('x'))],
  ])('refuses a copy %s', async (_, answer) => {
    await expect(query({ E: answer })).rejects.toMatchObject({
      code: 'database_error',
      message: expect.stringContaining('COPY is not supported'),
    });
  });

  it('reads messages that arrive in parts', async () => {
    const chunks = { E: Buffer.concat([row(`"${'x'.repeat(300_000)}"`), completed('SELECT 1')]) };
    expect((await query(chunks)).rows).toEqual([{ j: 'x'.repeat(300_000) }]);
  });
});
