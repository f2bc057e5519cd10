import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chargeRun } from '../../../src/modules/billing/charge-run.sql.js';
import type { ChatEntry } from '../../../src/modules/chat/chat-entry.js';
import { writeChats } from '../../../src/modules/chat/chat-ledger.sql.js';
import { Reconciliation } from '../../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { whileDeleting, whileHolding } from '../../support/transactions/held-transaction.js';

let service: TestService;
let database: Database;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  database = await openDatabase(service.database);
});
afterAll(async () => {
  await database?.close();
  await service?.stop();
});

async function createOwners(): Promise<{ projectId: number; userId: number }> {
  const { email } = await service.createUser(`user-${randomUUID()}`);
  const [user] = await service.sql('select id from app_user where email = $1', [email]);
  const project = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Paying' } });
  return { projectId: project.body.id, userId: user!.id as number };
}

const rowsOf = (runId: string) =>
  service.sql('select project_id, user_id, amount_usd from billing_transaction where run_id = $1', [runId]);

const chatEntry = (owners: { projectId: number; userId: number }): ChatEntry => ({
  ...owners,
  id: randomUUID(),
  keyId: null,
  status: 'Success',
  amountUsd: '0.5',
  reason: undefined,
  description: 'openai/gpt-4o-mini',
  usage: [],
  serviceUsd: undefined,
  reservation: undefined,
  keyReservation: undefined,
});

const charge = ({ projectId, userId }: { projectId: number; userId: number }, id: string) =>
  chargeRun(database, {
    ...{ id, projectId, userId, operation: 'scenario-message', settled: [], isEnded: true },
    charges: [
      {
        ...{ nodeId: '1', iteration: '', status: 'Success', amountUsd: '0.5', reason: '', description: '' },
        ...{ usage: null, serviceUsd: undefined },
      },
    ],
  });

it('the entry of a chat completion whose project is deleted at the same time counts only for its user', async () => {
  const owners = await createOwners();
  const entry = chatEntry(owners);
  await whileDeleting(service, { table: 'project', id: owners.projectId }, () => writeChats(database, [entry], true));
  expect(await rowsOf(entry.id)).toEqual([{ project_id: null, user_id: owners.userId, amount_usd: '0.5' }]);
});

it('the entry of a chat completion whose user is deleted at the same time counts only for its project', async () => {
  const owners = await createOwners();
  const entry = chatEntry(owners);
  await whileDeleting(service, { table: 'app_user', id: owners.userId }, () => writeChats(database, [entry], true));
  expect(await rowsOf(entry.id)).toEqual([{ project_id: owners.projectId, user_id: null, amount_usd: '0.5' }]);
});

it('a run whose project is deleted at the same time is not charged', async () => {
  const owners = await createOwners();
  const id = randomUUID();
  await whileDeleting(service, { table: 'project', id: owners.projectId }, () => charge(owners, id));
  expect(await rowsOf(id)).toEqual([]);
});

it('deleting a project waits for the reports of its runs and deletes their ledger rows', async () => {
  const { projectId } = await createOwners();
  const body = { project: projectId, title: 'W', data: { nodes: [], edges: [] } };
  const workflow = (await service.rest('POST', '/api/v1/workflows/', { body })).body.id;
  const [{ id }] = (await service.sql(
    `insert into workflow_run (id, project_id, workflow_id, revision_id, state)
     select gen_random_uuid(), $1, $2, id, 'running' from workflow_revision where workflow_id = $2 limit 1 returning id`,
    [projectId, workflow],
  )) as [{ id: string }];
  const report = [
    { text: 'update workflow_run set sequence = sequence + 1 where id = $1', values: [id] },
    {
      text: `insert into billing_transaction (project_id, run_id, node_id, operation, status, amount_usd)
             values ($1, $2, 'n', 'http-node', 'Success', 0)`,
      values: [projectId, id],
    },
  ];
  await whileHolding(service, report, () => service.sql('delete from project where id = $1', [projectId]));
  expect(await rowsOf(id)).toEqual([]);
});

it('deleting a user keeps the ledger rows without the user', async () => {
  const owners = await createOwners();
  const id = randomUUID();
  await charge(owners, id);
  await service.sql('delete from app_user where id = $1', [owners.userId]);
  expect(await rowsOf(id)).toEqual([{ project_id: owners.projectId, user_id: null, amount_usd: '0.5' }]);
});

it('the reconciliation finds rows without owners', async () => {
  const { projectId, userId } = await createOwners();
  const entry = chatEntry({ projectId, userId });
  await writeChats(database, [{ ...entry, amountUsd: '0' }], true);
  const found = async () => {
    const differences = await new Reconciliation(database).differences();
    return differences.filter(({ subject }) => subject.startsWith('ledger rows of the deleted'));
  };
  expect(await found()).toEqual([]);
  await service.sql('update billing_transaction set project_id = 1000000, user_id = 1000001 where run_id = $1', [
    entry.id,
  ]);
  expect(await found()).toEqual([
    { subject: 'ledger rows of the deleted project 1000000', is: '1', shouldBe: '0' },
    { subject: 'ledger rows of the deleted user 1000001', is: '1', shouldBe: '0' },
  ]);
});
