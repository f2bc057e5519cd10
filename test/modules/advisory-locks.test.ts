import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/platform/sql/advisory-locks.js';
import { databaseUrl } from '../support/config.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ role: 'api' });
});
afterAll(() => service?.stop());

// The two lock keys of members and of positions of prompts must differ, or the request would wait.
it('creates a prompt while the members of its project are locked', async () => {
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Locked' } })).body.id;
  const other = new pg.Client({ connectionString: databaseUrl(service.database) });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock($1, $2)', [ADVISORY_LOCKS.members, project]);
    const created = await service.rest('POST', '/api/v1/prompts/', {
      body: { key: 'greeting', role: 'user', content: 'Hello', project },
    });
    expect(created.status).toBe(201);
  } finally {
    await other.end();
  }
});
