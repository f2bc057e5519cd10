import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { readConfig } from '../src/platform/config/config.js';
import { blocksOf, ROOT, readPage } from './support/readme/readme.js';
import { startTestService } from './support/service.js';

const EXAMPLE = 'docs/examples/receive-webhooks.mjs';
const blocks = blocksOf(readPage('docs/webhooks.md'));
const blocksIn = (language: string) => blocks.filter(block => block.language === language).map(({ text }) => text);

describe('docs/webhooks.md', () => {
  it('shows the receiver of the examples folder', () => {
    expect(blocksIn('js')).toEqual([readPage(EXAMPLE).trimEnd()]);
  });

  it.each(blocksIn('graphql'))('shows operations that are valid: %s', text => {
    expect(validate(buildSchema(readPage('schema.graphql')), parse(text))).toEqual([]);
  });

  it('states the configured waits between attempts', () => {
    const [, text = ''] = /after ([^.]*(?:\.5)?[^.]*), each wait/.exec(readPage('docs/webhooks.md')) ?? [];
    const seconds: Record<string, number> = { s: 1, m: 60, h: 3_600 };
    const waits = text
      .replaceAll(/\s+/g, ' ')
      .split(/(?<=seconds|minutes|hours)(?:, | and )?/)
      .filter(Boolean)
      .flatMap(part => {
        const unit = /(s|m|h)(?:econds|inutes|ours)$/.exec(part)?.[1] as string;
        return [...part.matchAll(/[\d.]+/g)].map(([number]) => Number(number) * (seconds[unit] as number));
      });
    expect(waits).toEqual(readConfig({}).webhookRetrySeconds);
  });

  it('has a receiver that accepts deliveries signed with the previous secret, and rejects forged ones', async () => {
    const service = await startTestService();
    const { body: project } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Docs' } });
    const rotate = async () => {
      const { data } = await service.graphql(
        `mutation { webhookSecretRotate(projectId: ${project.id}) { webhookSecret { secret } } }`,
      );
      return data.webhookSecretRotate.webhookSecret.secret as string;
    };
    const [secret] = [await rotate(), await rotate()];
    const child = spawn(process.execPath, [path.join(ROOT, EXAMPLE)], {
      env: { WEBHOOK_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const port = /\d+$/.exec((await lines.next()).value as string)?.[0];
      const url = `http://127.0.0.1:${port}/`;
      await service.rest('PATCH', `/api/v1/projects/${project.id}/`, { body: { webhook_url: url } });
      const forged = await fetch(url, {
        method: 'POST',
        body: '{}',
        headers: {
          'webhook-id': 'x',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
        },
      });
      expect(forged.status).toBe(401);
      await service.graphql(`mutation { webhookTest(projectId: ${project.id}) { webhookDelivery { id } } }`);
      expect(JSON.parse((await lines.next()).value as string)).toEqual({
        type: 'webhook.test',
        timestamp: expect.any(String),
        data: { project_id: project.id },
      });
    } finally {
      child.kill();
      await once(child, 'exit');
      await service.stop();
    }
  });
});
