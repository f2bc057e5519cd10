import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { formOf } from '../../support/forms.js';
import { chain, field, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { awaitFinish } from './finished-run.js';

const PASSWORD = 'a-password-of-mail';
let service: TestService;
let mail: SMTPServer;
let port: number;
let project: number;
const received: { from: string; to: string[]; text: string }[] = [];
/** Whether the mail server closes the connection after the text, without an answer. */
let dropsConnectionAfterData = false;
let lastSocket: Socket | undefined;

beforeAll(async () => {
  mail = new SMTPServer({
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ann' && password === PASSWORD ? done(null, { user: 'ann' }) : done(new Error(`wrong ${password}`)),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('nobody@') ? done(Object.assign(new Error('unknown'), { responseCode: 550 })) : done(),
    onData: async (stream, session, done) => {
      const text = (await buffer(stream)).toString();
      const { mailFrom, rcptTo } = session.envelope;
      received.push({ from: (mailFrom || { address: '' }).address, to: rcptTo.map(({ address }) => address), text });
      if (dropsConnectionAfterData) lastSocket?.destroy();
      else done();
    },
  });
  mail.server.on('connection', (socket: Socket) => {
    lastSocket = socket;
  });
  await new Promise<void>(listening => mail.listen(0, '127.0.0.1', listening));
  port = (mail.server.address() as { port: number }).port;
  service = await startTestService({ outboundAllow: ['127.0.0.1'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Mail' } })).body.id;
  const value = `smtp://ann:${PASSWORD}@127.0.0.1:${port}?tls=none`;
  const variable = (name: string, more: object = {}) =>
    service.rest('POST', '/api/v1/project-variables/', { body: { project, name, value, is_secret: true, ...more } });
  await variable('SMTP');
  await variable('ELSEWHERE', { allowed_hosts: ['smtp.example.com'] });
});
afterAll(async () => {
  await service?.stop();
  await new Promise<void>(closed => mail.close(closed));
});
beforeEach(() => {
  received.length = 0;
  dropsConnectionAfterData = false;
});

async function runNode(data: object) {
  const settings = { connection: '{{ env.SMTP }}', from: 'Ann <ann@example.com>', to: 'bob@example.com', ...data };
  const graph = chain(trigger(field('x')), node('email-node', settings), output());
  const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data: graph } });
  const started = await service.rest('POST', `/api/v1/workflows/${body.id}/run/`, { body: { x: 'b' } });
  return awaitFinish(service, started.body.data.id);
}

describe('an email node', () => {
  it('sends texts and attachments', async () => {
    const form = formOf({ project: String(project) }, { file: ['grüße.txt', 'attached'] });
    const { body: file } = await service.rest('POST', '/api/v1/files/', { body: form });
    const run = await runNode({
      ...{ to: ['bob@example.com', 'Carl <carl@example.com>'], cc: 'dan@example.com', bcc: 'eve@example.com' },
      ...{ subject: 'Hello', text: 'plain', html: '<b>bold</b>', attachments: [file.file_id] },
    });
    const sent = JSON.parse(run.output);
    expect(sent).toEqual({
      message_id: expect.stringMatching(/^<[0-9a-f]{40}@scenarium>$/),
      accepted: ['bob@example.com', 'carl@example.com', 'dan@example.com', 'eve@example.com'],
      rejected: [],
    });
    expect(received).toHaveLength(1);
    const [{ text, from }] = received as [(typeof received)[0]];
    expect(from).toBe('ann@example.com');
    for (const part of [
      sent.message_id,
      'Subject: Hello',
      'plain',
      '<b>bold</b>',
      Buffer.from('attached').toString('base64'),
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('eve@example.com');
  });

  it('keeps line breaks in a subject out of the header', async () => {
    await runNode({ subject: 'a\r\nBcc: mallory@example.com', text: 'x' });
    expect(received[0]?.text).not.toMatch(/^Bcc:/m);
    expect(received[0]?.to).toEqual(['bob@example.com']);
  });

  it('sends to exactly the addresses of its settings', async () => {
    const run = await runNode({
      to: '"Doe, Jane" <jane@example.com>, bob@example.com',
      reply_to: 'Ann <a@example.com>',
    });
    expect(JSON.parse(run.output).accepted).toEqual(['jane@example.com', 'bob@example.com']);
    expect(received[0]?.text).toContain('To: "Doe, Jane" <jane@example.com>, bob@example.com');
    expect(received[0]?.text).toContain('Reply-To: Ann <a@example.com>');
  });

  it.each([
    [{ to: '{{ input.x }}@x.com\r\nBcc: evil@x.com' }, 'to "b@x.com\\r\\nBcc: evil@x.com" is not an email address'],
    [{ to: ['{{ input.x }}@x.com', '{{ input.x }}ob'] }, 'to.1 "bob" is not an email address'],
    [{ to: ['{{ input.x }}@x.com, c@x.com'] }, 'to.0 "b@x.com, c@x.com" is not an email address'],
    [{ from: '{{ input.x }}ob' }, 'from "bob" is not an email address'],
    [{ reply_to: '{{ input.x }}@x.com\r\nX: 1' }, 'reply_to "b@x.com\\r\\nX: 1" is not an email address'],
    [{ to: Array(51).fill('a@x.com').join() }, 'an email has 1-50 recipients in to, cc and bcc'],
  ])('refuses %j during the run', async (data, message) => {
    expect((await runNode(data)).error.message).toContain(message);
    expect(received).toHaveLength(0);
  });

  it('refuses constant settings that are not addresses before the run', async () => {
    const settings = { connection: '{{ env.SMTP }}', from: 'somebody', to: ['b@x.com', 'not-an-address'] };
    const data = chain(trigger(), node('email-node', settings), output());
    const { body } = await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } });
    const refused = await service.rest('POST', `/api/v1/workflows/${body.id}/run/`, { body: {} });
    expect(refused.body.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('is not an email address');
  });

  it('names rejected recipients, and fails if there is no other', async () => {
    const partly = await runNode({ to: 'bob@example.com, nobody@example.com' });
    expect(JSON.parse(partly.output)).toMatchObject({
      accepted: ['bob@example.com'],
      rejected: ['nobody@example.com'],
    });
    expect((await runNode({ to: 'nobody@example.com' })).error).toMatchObject({ code: 'email_failed' });
    expect((await runNode({ to: '' })).error).toMatchObject({ code: 'invalid_recipients' });
  });

  it('is not repeated if the server may have the message', async () => {
    dropsConnectionAfterData = true;
    const { error } = await runNode({ text: 'x', on_error: 'retry', retry: { attempts: 3, delay_seconds: 0 } });
    expect(error).toMatchObject({ code: 'email_uncertain' });
    expect(received).toHaveLength(1);
  });

  it('reports no password, and follows the rules of outbound calls', async () => {
    const wrong = await runNode({ connection: `smtp://ann:another-password@127.0.0.1:${port}?tls=none` });
    expect(wrong.error).toMatchObject({ code: 'email_unauthorized' });
    expect(wrong.error.message).not.toContain('another-password');
    const inside = await runNode({ connection: 'smtps://a:b@10.0.0.1' });
    expect(inside.error.message).toContain('The address is not allowed');
    expect((await runNode({ connection: '{{ env.ELSEWHERE }}' })).error.message).toContain(
      'may be sent to smtp.example.com only',
    );
    const encrypted = await runNode({ connection: `smtp://ann:${PASSWORD}@127.0.0.1:${port}` });
    expect(encrypted.error).toMatchObject({ code: 'email_failed' });
    expect(received).toHaveLength(0);
  });
});
