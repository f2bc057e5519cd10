import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { type ModelRequest, PortError, type Usage } from '../../../src/engine/ports.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakeFiles, fakePorts, usageOf } from '../fake-ports.js';
import { node, run, trigger, workflow } from '../samples.js';

const FILE = '11111111-1111-4111-8111-111111111111';
const graphOf = (type: string, data: JsonObject) =>
  workflow([trigger('t'), node(type)('m', { settings: { model_name: 'echo' }, ...data })], ['t>m']);
const modelReturning = (bytes?: Uint8Array) => ({
  llm: (request: ModelRequest) => ({ text: '', ...(bytes ? { bytes } : {}), usage: usageOf(request) }),
});

function audioFiles(contentType: string) {
  const files = fakeFiles();
  const bytes = Buffer.from([1, 2, 3]);
  const reference = { file_id: FILE, name: 'a.mp3', content_type: contentType, size: 3, sha256: '' };
  files.stored.set(FILE, { reference, bytes });
  return files;
}

describe.each([
  ['image-node', { prompt: 'A cat' }, 'image.png', 'image', {}],
  ['speech-node', { text: 'Hello' }, 'speech.mp3', 'speech', { voice: 'alloy', response_format: 'mp3' }],
] as const)('%s', (type, data, name, kind, options) => {
  test('stores the file unchanged and reports the usage', async () => {
    const bytes = Buffer.from([255, 0, 254]);
    const ports = fakePorts(modelReturning(bytes));
    const events = await run(graphOf(type, data), { ports });
    const ended = events.find(event => event.type === 'node.succeeded' && event.node === 'm');
    const { content, usage } = ended as { content: string; usage?: unknown };
    const reference = JSON.parse(content);
    expect(reference).toMatchObject({ name, size: 3 });
    expect(Buffer.from((await ports.files.read(reference.file_id, 10)).bytes)).toEqual(bytes);
    expect(usage).toMatchObject({ costUsd: '0.001' });
    expect(ports.prompts[0]).toMatchObject({ media: { kind, options } });
  });

  test('fails without a file, with the usage', async () => {
    const events = await run(graphOf(type, data), { ports: fakePorts(modelReturning()) });
    const failed = events.find(event => event.type === 'node.failed');
    expect(failed).toMatchObject({ error: { code: 'bad_upstream_answer' }, usage: { costUsd: '0.001' } });
  });

  test('charges the call if the file cannot be stored', async () => {
    const files = {
      ...fakeFiles(),
      writePaid: () => Promise.reject(new PortError('file_refused', 'the quota is used up')),
    };
    const ports = fakePorts({ ...modelReturning(Buffer.from([1])), files });
    const failed = (await run(graphOf(type, data), { ports })).find(event => event.type === 'node.failed');
    expect(failed).toMatchObject({ error: { code: 'file_refused' }, usage: { costUsd: '0.001' } });
  });

  test('uses the file of an attempt whose result was not recorded', async () => {
    const files = fakeFiles();
    const ports = fakePorts({ ...modelReturning(Buffer.from([1])), files });
    // The second execution has the same run id and no recorded events, as after a crash before the result was recorded.
    const execute = () => run(graphOf(type, data), { ports, runId: 'interrupted' });
    const [first, second] = [await execute(), await execute()];
    const contentOf = (events: typeof first) =>
      events.find(event => event.type === 'node.succeeded' && event.node === 'm');
    expect(contentOf(second)).toMatchObject({ usage: { costUsd: '0.001' } });
    expect((contentOf(second) as { content: string }).content).toBe((contentOf(first) as { content: string }).content);
    expect([ports.prompts.length, files.stored.size]).toEqual([1, 1]);
  });

  test('passes provider options on, but not those that it sets itself', async () => {
    const ports = fakePorts(modelReturning(Buffer.from([1])));
    await run(graphOf(type, { ...data, settings: { model_name: 'echo', provider_options: { user: 'u' } } }), { ports });
    expect(ports.prompts[0]?.media?.options).toMatchObject({ user: 'u' });
    const refused = graphOf(type, {
      ...data,
      settings: { model_name: 'echo', provider_options: { model: 'x', n: 3 } },
    });
    const context = { workflowId: null, servesModel: () => true };
    expect(JSON.stringify(checkWorkflow(refused, context))).toContain('must not contain model, n');
  });
});

describe('transcription-node', () => {
  const text = JSON.stringify({ text: 'Hi', duration: 2, segments: [{ id: 0, start: 0, end: 2, text: 'Hi', x: 1 }] });
  const llm = (request: ModelRequest) => ({ text, usage: usageOf(request) });

  test.each<[JsonObject, string, string]>([
    [{}, 'Hi', 'json'],
    [
      { result: 'segments' },
      '{"text":"Hi","language":null,"duration":2,"segments":[{"start":0,"end":2,"text":"Hi"}]}',
      'verbose_json',
    ],
  ])('with %j has the content %s', async (more, content, response_format) => {
    const ports = fakePorts({ llm, files: audioFiles('audio/mpeg') });
    const events = await run(graphOf('transcription-node', { file: FILE, prompt: 'Ada', ...more }), { ports });
    expect(events).toContainEqual(expect.objectContaining({ type: 'node.succeeded', node: 'm', content }));
    const [request] = ports.prompts;
    expect(request).toMatchObject({
      messages: [{ role: 'user', content: 'Ada' }],
      media: { kind: 'transcription', options: { response_format }, recording: { name: 'a.mp3' } },
    });
  });

  test('refuses another type of file without a call', async () => {
    const ports = fakePorts({ llm, files: audioFiles('text/plain') });
    const events = await run(graphOf('transcription-node', { file: FILE }), { ports });
    expect(events.at(-1)).toMatchObject({
      error: { code: 'unsupported_file', message: expect.stringMatching(/a\.mp3/) },
    });
    expect(ports.prompts).toEqual([]);
  });
});

describe('fallback models', () => {
  const answers: Record<string, { text: string; bytes?: Uint8Array }> = {
    'image-node': { text: '', bytes: Buffer.from([7]) },
    'speech-node': { text: '', bytes: Buffer.from([7]) },
    'transcription-node': { text: '{"text":"Hi"}' },
    'embedding-node': { text: '[[1,0]]' },
  };
  const down = (code: string) => new PortError(code, 'down', { usage: usageOf({ settings: { model_name: 'first' } }) });
  const fallbacks = { settings: { model_name: 'first' }, provider: 'p', fallback_models: ['q/second', 'third'] };

  test.each<[type: string, data: JsonObject, content: unknown]>([
    ['image-node', { prompt: 'A cat' }, expect.stringContaining('"name":"image.png"')],
    ['speech-node', { text: 'Hello' }, expect.stringContaining('"name":"speech.mp3"')],
    ['transcription-node', { file: FILE }, 'Hi'],
    ['embedding-node', { input: 'Hello' }, '{"embeddings":[[1,0]],"dimensions":2,"model":"q/second"}'],
  ])('of %s are called after a failure of the provider, each as a step', async (type, data, content) => {
    const files = audioFiles('audio/mpeg');
    const outcomes: ((request: ModelRequest) => ReturnType<typeof down> | { text: string; usage: Usage })[] = [
      () => down('upstream_error'),
      request => ({ ...answers[type]!, usage: usageOf(request) }),
    ];
    const ports = fakePorts({ files, llm: request => outcomes[ports.prompts.length - 1]!(request) });
    const graph = graphOf(type, { ...data, ...fallbacks });
    const events = await run(graph, { ports });
    expect(events).toContainEqual(expect.objectContaining({ type: 'node.succeeded', node: 'm', content }));
    expect(ports.prompts.map(({ provider, settings }) => [provider, settings.model_name])).toEqual([
      ['p', 'first'],
      [undefined, 'q/second'],
    ]);
    const usages = events.flatMap(event => ('usage' in event && event.usage ? [event.usage.model] : []));
    expect(usages).toEqual(['first', 'q/second']);
    // After a takeover no recorded call is repeated.
    const end = events.findIndex(event => event.type === 'node.succeeded' && event.node === 'm');
    const again = await run(graph, { ports, recorded: events.slice(0, end) });
    expect(again).toContainEqual(expect.objectContaining({ type: 'node.succeeded', node: 'm', content }));
    expect(ports.prompts).toHaveLength(2);
  });

  test.each(Object.keys(answers))('of %s are not called after another failure', async type => {
    const ports = fakePorts({ files: audioFiles('audio/mpeg'), llm: () => down('bad_request') });
    const data = { prompt: 'a', text: 'a', file: FILE, input: 'a', ...fallbacks };
    const events = await run(graphOf(type, data), { ports });
    expect(events.at(-1)).toMatchObject({ error: { code: 'bad_request' } });
    expect(ports.prompts).toHaveLength(1);
  });
});

test.each<[type: string, data: JsonObject]>([
  ['transcription-node', { file: FILE }],
  ['embedding-node', { input: 'a' }],
])('%s asks for cached answers only with cache_seconds', async (type, data) => {
  const llm = (request: ModelRequest) => ({ text: '{"text":"Hi"}', usage: usageOf(request) });
  const ports = fakePorts({ files: audioFiles('audio/mpeg'), llm });
  await run(graphOf(type, data), { ports });
  await run(graphOf(type, { ...data, cache_seconds: 60 }), { ports });
  expect(ports.prompts.map(({ cacheSeconds }) => cacheSeconds)).toEqual([undefined, 60]);
});
