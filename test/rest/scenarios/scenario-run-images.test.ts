import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';
import { partsBy } from './part-makers.js';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const IMAGES_PATH = '/v1/images/generations';

let upstream: StubUpstream;
let service: TestService;
let project: number;

const parts = partsBy(
  () => service,
  () => service.key,
);

beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({
    openai: { baseUrl: upstream.url, apiKey: 'k' },
    publicUrl: 'https://scenarium.example',
    maxUploadBytes: 100_000,
  });
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});
beforeEach(async () => {
  upstream.calls.length = 0;
  upstream.answers.clear();
  project = await parts.project();
});

/** Runs a scenario whose only message returns an image, and returns the run after its end. */
async function runImageScenario(prompts: Record<string, unknown>[], parameters: Record<string, unknown> = {}) {
  const made = [];
  for (const prompt of prompts) made.push((await parts.prompt(project, prompt)).id);
  const message = await parts.message(project, { prompts: made, return_type: 'image', parameters });
  const scenario = await parts.scenario(project, { messages: [message.id] });
  const { body } = await parts.call('POST', 'scenarioruns/run/', { body: { scenario: scenario.id } });
  return eventually(
    async () => (await parts.call('GET', `scenarioruns/${body.id}/`)).body,
    ({ status }) => status === 'finished' || status === 'error',
  );
}
const imageRequests = () =>
  upstream.calls.filter(({ path }) => path === IMAGES_PATH).map(({ body }) => JSON.parse(body));
const fetchFile = (url: string) => fetch(url.replace('https://scenarium.example', service.url));
const cat = [{ role: 'positive', content: 'A cat' }];

describe('a message that returns an image', () => {
  it('is requested once, stored, and linked to for as long as its run exists', async () => {
    const usage = { input_tokens: 10, output_tokens: 1_000, total_tokens: 1_010 };
    upstream.answers.set(IMAGES_PATH, { data: [{ b64_json: PIXEL.toString('base64') }], usage });
    const prompts = [...cat, { role: 'user', content: 'in a hat' }, { role: 'negative', content: 'dogs' }];
    const parameters = { model_name: 'openai/gpt-image-1', size: '1024x1024', temperature: 1, n: 4 };
    const run = await runImageScenario(prompts, parameters);
    expect(run).toMatchObject({ status: 'finished', error: null, tokens: { prompt: 10, completion: 1_000 } });
    expect(imageRequests()).toEqual([
      { model: 'gpt-image-1', prompt: 'A cat\nin a hat\nDo not show: dogs', size: '1024x1024', n: 1 },
    ]);
    expect(run.final_result).toMatch(/^https:\/\/scenarium\.example\/files\/[\w-]+\.[\w-]+$/);
    const image = await fetchFile(run.final_result);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PIXEL);
    await parts.call('DELETE', `scenarioruns/${run.id}/`);
    expect((await fetchFile(run.final_result)).status).toBe(404);
  });

  it('accepts an image by its address', async () => {
    upstream.answers.set(IMAGES_PATH, { data: [{ url: `${upstream.origin}/pixel.png` }] });
    upstream.answers.set('/pixel.png', PIXEL);
    const run = await runImageScenario(cat, { model_name: 'dall-e-3' });
    expect(imageRequests()[0]).toMatchObject({ model: 'dall-e-3', response_format: 'b64_json' });
    expect(Buffer.from(await (await fetchFile(run.final_result)).arrayBuffer())).toEqual(PIXEL);
  });

  it.each([
    ['a private address', 'http://10.11.12.13/pixel.png'],
    ['an address where no server listens', 'http://127.0.0.1:1/pixel.png'],
    ['what is not an address', 'file:///etc/passwd'],
  ])('fails where the image is at %s', async (_, url) => {
    upstream.answers.set(IMAGES_PATH, { data: [{ url }] });
    expect(await runImageScenario(cat)).toMatchObject({ status: 'error', error: { code: 'bad_upstream_answer' } });
  });

  it.each([
    ['no image', { data: [] }],
    ['a text', { data: [{ b64_json: Buffer.from('Here you are').toString('base64') }] }],
    ['more than may be stored', { data: [{ b64_json: Buffer.alloc(100_001).toString('base64') }] }],
  ])('fails when the provider returns %s, which is charged if usage is reported', async (_, answer) => {
    upstream.answers.set(IMAGES_PATH, { ...answer, usage: { input_tokens: 7, output_tokens: 70 } });
    const run = await runImageScenario(cat);
    expect(run).toMatchObject({ status: 'error', error: { code: 'bad_upstream_answer' }, tokens: { total: 77 } });
    expect(await service.sql('select 1 from scenario_run_file where run_id = $1', [run.id])).toEqual([]);
  });

  it('fails where another provider is named', async () => {
    const prompt = await parts.prompt(project, { role: 'positive', content: 'A cat' });
    const message = await parts.message(project, { prompts: [prompt.id], return_type: 'image', provider: 'echo' });
    const scenario = await parts.scenario(project, { messages: [message.id] });
    const { body } = await parts.call('POST', 'scenarioruns/run/', { body: { scenario: scenario.id } });
    const run = await eventually(
      async () => (await parts.call('GET', `scenarioruns/${body.id}/`)).body,
      ({ status }) => status === 'error',
    );
    expect(run.error.code).toBe('provider_not_configured');
  });
});
