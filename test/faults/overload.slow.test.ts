import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, testEnvironment } from '../support/config.js';
import { type ServiceProcess, startProcess } from '../support/processes/process.js';
import { createWorkflow, pureGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';

/** More than a process can take at the same time, whichever resource is short. */
const CLIENTS = 400;
const LOAD_MS = 20_000;
const describeOverload = process.env.FAULTS === 'all' ? describe : describe.skip;
const HEADERS = { 'X-Api-Key': ADMIN_KEY, 'Content-Type': 'application/json' };

describeOverload('a process that receives more requests than it can serve', () => {
  let owner: TestService;
  let crowded: ServiceProcess;
  let path: string;
  beforeAll(async () => {
    owner = await startTestService({ role: 'api' }, await createDatabase());
    path = `/api/v1/workflows/${await createWorkflow(owner, pureGraph())}/run/`;
    crowded = await startProcess(testEnvironment(owner.database));
  });
  afterAll(async () => {
    await crowded.end();
    await owner.stop();
  });

  async function start(): Promise<{ status: number; retryAfter: string | null }> {
    const request = { method: 'POST', headers: HEADERS, body: '{"topic": "cats"}' };
    const answer = await fetch(`${crowded.url}${path}`, request);
    await answer.text();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
  }

  it('accepts what it can, refuses the rest with 503 and Retry-After, and answers as before afterwards', async () => {
    const answers: Awaited<ReturnType<typeof start>>[] = [];
    const began = performance.now();
    const client = async () => {
      do answers.push(await start());
      while (performance.now() - began < LOAD_MS);
    };
    const probes: number[] = [];
    const probing = setInterval(async () => probes.push((await fetch(`${crowded.url}/healthz`)).status), 250);
    await Promise.all(Array.from({ length: CLIENTS }, client));
    clearInterval(probing);

    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    // A process serves at least this many requests at the same time (`MIN_REQUESTS_IN_FLIGHT` in src/http/server.ts).
    expect(accepted.length).toBeGreaterThanOrEqual(256);
    expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
    expect(probes.every(status => status === 200)).toBe(true);

    for (let each = 0; each < 20; each++) expect((await start()).status).toBe(200);
    const [ended] = await owner.sql(
      `select count(*) filter (where state = 'succeeded')::int as runs, count(*)::int as all from workflow_run`,
    );
    expect(ended).toEqual({ runs: accepted.length + 20, all: accepted.length + 20 });
  });
});
