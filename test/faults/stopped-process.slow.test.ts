import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HEARTBEAT_SECONDS } from '../../src/durable/queue.js';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { chain, type GraphData, http, llm, output, trigger } from '../support/graphs.js';
import { expireJobs } from '../support/jobs/expire-jobs.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

/** Time in which a continued process would send a pending call. */
const SETTLE_MS = 2_000;

/**
 * A process is stopped right before an outbound call, for longer than its lease lasts, as on a host that is paused.
 * The connection for the call is open already, because an earlier run used it. Another process makes the call and ends
 * the run. The first process must not repeat the call when it continues.
 */
describe('a process that was stopped past its lease', () => {
  let upstream: StubUpstream;
  let service: TestService;
  let httpWorkflow: number;
  let llmWorkflow: number;
  let openai: { baseUrl: string; apiKey: string };

  beforeAll(async () => {
    upstream = await startStubUpstream();
    openai = { baseUrl: upstream.url, apiKey: 'k' };
    service = await startTestService({ role: 'api', openai }, await createDatabase());
    const projectId = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Stopped' } })).body.id;
    const make = async (data: GraphData) =>
      (await service.rest('POST', '/api/v1/workflows/', { body: { project: projectId, title: 'Stopped', data } })).body
        .id;
    httpWorkflow = await make(chain(trigger(), http(`${upstream.origin}/hook`), output()));
    llmWorkflow = await make(chain(trigger(), llm('Hello', 'gpt-4o-mini'), output()));
  });
  afterAll(async () => {
    await service?.stop();
    await upstream?.stop();
  });

  const start = (role: string, point: string) =>
    startProcess({
      ...testEnvironment(service.database),
      OPENAI_BASE_URL: upstream.url,
      OPENAI_API_KEY: 'k',
      ROLE: role,
      CRASH_AT: `${point}:stop`,
    });

  const accept = (url: string, workflow: number) =>
    fetch(`${url}/api/v1/workflows/${workflow}/run/`, {
      method: 'POST',
      headers: { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
      body: '{}',
    });

  const awaitSuccess = () =>
    eventually(
      () => service.sql<{ state: string }>('select state from workflow_run'),
      rows => rows.every(({ state }) => state === 'succeeded'),
    );

  const isStopped = ({ child }: ServiceProcess) =>
    /^State:\s+T/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8'));

  // The operating system reports whether a process is stopped.
  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux.each([
    ['with the first call of a run that it accepted', 'all', 'accept.after-commit:2', () => httpWorkflow],
    ['with a call whose start it recorded', 'worker', 'record.after:3', () => httpWorkflow],
    ['with a paid call for which it reserved', 'worker', 'reserve.after:2', () => llmWorkflow],
  ])('does not continue %s', async (_what, role, point, workflow) => {
    const stopped = await start(role, point);
    const callCount = () => upstream.requests.length + upstream.calls.length;
    const url = role === 'all' ? stopped.url : service.url;
    try {
      await accept(url, workflow());
      await awaitSuccess();
      const before = callCount();
      // A stopped process answers only when it continues.
      const accepted = accept(url, workflow());
      await eventually(
        async () => isStopped(stopped),
        stopped => stopped,
      );
      const stoppedAt = Date.now();
      expect(callCount()).toBe(before);
      await expireJobs(service);
      const successor = await startTestService({ role: 'worker', openai }, service.database);
      await awaitSuccess().finally(() => successor.stop());
      await delay(stoppedAt + HEARTBEAT_SECONDS * 1_000 + 500 - Date.now());
      stopped.child.kill('SIGCONT');
      expect((await accepted).status).toBe(200);
      await delay(SETTLE_MS);
      expect(callCount()).toBe(before + 1);
    } finally {
      stopped.child.kill('SIGCONT');
      await stopped.end();
    }
  });
});
