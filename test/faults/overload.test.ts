import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';

/** More than a process takes at the same time whatever it is short of. */
const CLIENTS = 400;
const FOR_MS = 20_000;
const crowd = process.env.FAULTS === 'all' ? describe : describe.skip;
const HEADERS = { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' };

crowd('a process that is asked for more than it can do', () => {
  let beside: TestService;
  let crowded: ServiceProcess;
  let path: string;
  beforeAll(async () => {
    beside = await startTestService({ role: 'api' }, await createDatabase());
    path = `/api/v1/workflows/${await createWorkflow(beside, pureGraph())}/run/`;
    crowded = await startProcess(testEnvironment(beside.database));
  });
  afterAll(async () => {
    await crowded.end();
    await beside.stop();
  });

  async function start(): Promise<{ status: number; retryAfter: string | null }> {
    const request = { method: 'POST', headers: HEADERS, body: '{"topic": "cats"}' };
    const answer = await fetch(`${crowded.url}${path}`, request);
    await answer.text();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
  }

  it('takes what it can of a crowd, refuses the rest with 503 and Retry-After, and is as before when they are gone', async () => {
    const answers: Awaited<ReturnType<typeof start>>[] = [];
    const began = performance.now();
    const client = async () => {
      do answers.push(await start());
      while (performance.now() - began < FOR_MS);
    };
    const probes: number[] = [];
    const probing = setInterval(async () => probes.push((await fetch(`${crowded.url}/healthz`)).status), 250);
    await Promise.all(Array.from({ length: CLIENTS }, client));
    clearInterval(probing);

    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(accepted.length).toBeGreaterThanOrEqual(256);
    expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
    expect(probes.every(status => status === 200)).toBe(true);

    for (let each = 0; each < 20; each++) expect((await start()).status).toBe(200);
    const [ended] = await beside.sql(
      `select count(*) filter (where state = 'succeeded')::int as runs, count(*)::int as all from workflow_run`,
    );
    expect(ended).toEqual({ runs: accepted.length + 20, all: accepted.length + 20 });
  });
});
