import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '../../src/platform/logging/log.js';
import { withContext } from '../../src/platform/tracing/work-context.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

type Line = Record<string, any>;

function collector(level: string) {
  const lines: Line[] = [];
  const log = createLog(level, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, log };
}

describe('a line of the log', () => {
  it('masks everything that may be a credential, in any member', () => {
    const { lines, log } = collector('info');
    const secret = 'hunter2-hunter2';
    const error = Object.assign(new Error('refused'), { config: { headers: { authorization: secret } } });
    log.info({
      headers: { 'x-api-key': secret },
      apiKey: secret,
      request: { options: [{ password: secret, refreshToken: secret }] },
      err: error,
      promptTokens: 7,
      kept: 'this',
    });
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(lines[0]).toMatchObject({
      headers: '********',
      request: { options: [{ password: '********' }] },
      err: { message: 'refused' },
      promptTokens: 7,
      kept: 'this',
    });
  });

  it('omits values that are nested too deeply to be masked', () => {
    const { lines, log } = collector('info');
    const nest = (value: object, levels: number): object => (levels === 0 ? value : { inner: nest(value, levels - 1) });
    log.info({ shallow: nest({ token: 'hunter2', kept: 'this' }, 3), deep: nest({ token: 'hunter2' }, 4) });
    log.info(nest({ list: [{ token: 'hunter2' }] }, 4));
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(lines[0]?.shallow).toEqual(nest({ token: '********', kept: 'this' }, 3));
    expect(lines[0]?.deep).toEqual({ inner: { inner: { inner: { inner: '[Object]' } } } });
    expect(JSON.stringify(lines[1])).toContain('{"list":"[Array]"}');
  });

  it('masks the secrets of the run and credentials in the errors of a group', async () => {
    const { lines, log } = collector('info');
    const mask = (text: string) => text.replaceAll('hunter2', '********');
    const refused = Object.assign(new Error('refused hunter2'), {
      config: { headers: { authorization: 'Bearer x1' } },
    });
    await withContext({ runId: 'run1', run: { mask } }, async () =>
      log.error({ err: new AggregateError([refused], 'all hunter2') }, 'calls failed'),
    );
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|Bearer x1/);
    expect(lines[0]).toMatchObject({
      err: { message: 'all ********', aggregateErrors: [{ message: 'refused ********' }] },
    });
  });

  it('names the request and the run that it belongs to', async () => {
    const { lines, log } = collector('info');
    await withContext({ requestId: 'r1' }, () => withContext({ runId: 'run1' }, async () => log.info('inside')));
    log.info('outside');
    expect(lines[0]).toMatchObject({ requestId: 'r1', runId: 'run1', msg: 'inside' });
    expect(lines[1]).not.toHaveProperty('requestId');
  });
});

describe('a process whose output is not read any more', () => {
  it('continues', async () => {
    const module = new URL('../../src/platform/logging/log.js', import.meta.url).href;
    const script = `import { createLog } from '${module}';
      const log = createLog('info');
      process.stdin.once('data', () => {
        for (const level of ['info', 'error', 'info']) log[level]('unread');
        setTimeout(() => process.exit(7), 200);
      });
      log.warn('ready');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.write('on');
    // The exit code of the script, which it reaches only if writing to the closed pipe has not ended it.
    expect((await exited)[0]).toBe(7);
  });
});

describe('the log of a service', () => {
  const { lines, log } = collector('debug');
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({}, undefined, log);
  });
  afterAll(() => service?.stop());

  const linesOf = (msg: string, having: Line) =>
    eventually(
      async () =>
        lines.filter(line => line.msg === msg && Object.keys(having).every(name => line[name] === having[name])),
      found => found.length > 0,
    );

  it('has one line for each request, at a level by its status', async () => {
    const headers = { 'X-Request-Id': 'request-of-this-test' };
    await service.rest('GET', '/api/v1/projects/?name=a-secret-in-the-address', { headers });
    const found = await linesOf('request', { requestId: 'request-of-this-test' });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ level: 30, method: 'GET', route: '/api/v1/projects/', status: 200 });
    expect(found[0]?.ms).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain('a-secret-in-the-address');
    await service.rest('GET', '/healthz');
    expect((await linesOf('request', { route: '/healthz' }))[0]).toMatchObject({ level: 20 });
  });

  it('has one line for the end of each run', async () => {
    const workflow = await createWorkflow(service, pureGraph());
    const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
    const found = await linesOf('run ended', { runId: body.data.id });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ level: 30, kind: 'workflow', outcome: 'succeeded', attempts: 1 });
  });
});
