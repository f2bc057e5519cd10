import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import type { GraphData } from '../../support/graphs.js';
import type { TestService } from '../../support/service.js';
import type { ReceivedWebhook, WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';

const DELIVERY = `{ id projectId url type state body nextAt createdAt finishedAt attempts { at status error durationMs } }`;

/** Requests about webhooks, by an administrator or with the given key. */
export function webhookRequestsBy(service: () => TestService, receiver: () => WebhookReceiver) {
  /** A project whose webhook goes to a path of its own. */
  async function project(more: Record<string, unknown> = {}): Promise<{ id: number; path: string }> {
    const path = `/${randomUUID()}`;
    const body = { name: 'Hooks', webhook_url: `${receiver().origin}${path}`, is_webhook_enabled: true, ...more };
    return { id: (await service().rest('POST', '/api/v1/projects/', { body })).body.id, path };
  }

  async function save(projectId: number, data: GraphData): Promise<number> {
    const { status: code, body } = await service().rest('POST', '/api/v1/workflows/', {
      body: { project: projectId, title: 'W', data },
    });
    expect([code, body.id]).toEqual([201, expect.any(Number)]);
    return body.id;
  }

  async function run(workflow: number, input: unknown = { topic: 'world' }): Promise<string> {
    const { body } = await service().rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: input });
    expect(body.status).toBe(201);
    return body.data.id;
  }

  async function mutate(name: string, args: string, member: string, selection: string, key?: string) {
    const query = `mutation { ${name}(${args}) { ${member} ${selection} } }`;
    const { data, errors } = await service().graphql(query, undefined, key);
    return { value: data?.[name]?.[member], code: errors?.[0]?.extensions.code, errors };
  }
  const rotate = (id: number, key?: string) =>
    mutate('webhookSecretRotate', `projectId: ${id}`, 'webhookSecret', '{ secret previousExpiresAt }', key);
  const sendTest = (id: number, key?: string) =>
    mutate('webhookTest', `projectId: ${id}`, 'webhookDelivery', DELIVERY, key);
  const redeliver = (id: string, key?: string) =>
    mutate('webhookRedeliver', `id: "${id}"`, 'webhookDelivery', DELIVERY, key);

  async function deliveries(id: number, args = '', key?: string) {
    const { data, errors } = await service().graphql(
      `{ webhookDeliveries(projectId: ${id}${args}) { page size total items ${DELIVERY} } }`,
      undefined,
      key,
    );
    return { page: data?.webhookDeliveries, code: errors?.[0]?.extensions.code, errors };
  }

  const received = (path: string, count = 1): Promise<ReceivedWebhook[]> =>
    eventually(
      async () => receiver().calls(path),
      calls => calls.length >= count,
    );

  /** Waits until the newest delivery of the project is in this state, and returns it. */
  async function settled(id: number, state: string) {
    const page = await eventually(
      async () => (await deliveries(id)).page,
      ({ items }) => items[0]?.state === state,
    );
    return page.items[0];
  }

  return { project, save, run, rotate, sendTest, redeliver, deliveries, received, settled };
}
