import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProject, createTool, graph, node } from '../modules/mcp-server/mcp-fixtures.js';
import { startTestService, type TestService } from '../support/service.js';
import { runScenario, selectScenarios } from './conformance-suite.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Scenarios and the number of their checks, all of which must pass. docs/clients.md lists the others with reasons. */
const PASSED: Record<string, number> = {
  'server-initialize': 1,
  ping: 1,
  'tools-list': 1,
  'tools-call-simple-text': 1,
  'tools-call-image': 1,
  'tools-call-audio': 1,
  'tools-call-embedded-resource': 1,
  'tools-call-mixed-content': 1,
  'tools-call-error': 1,
  'tools-call-with-progress': 1,
  'resources-list': 1,
  'prompts-list': 1,
  'prompts-get-simple': 1,
  'prompts-get-with-args': 1,
  'server-sse-polling': 2,
  'server-sse-multiple-streams': 1,
  'dns-rebinding-protection': 2,
};

const SMOKE = ['server-initialize', 'tools-call-with-progress', 'server-sse-polling'];

describe('the conformance suite of MCP, with the MCP server of a project', () => {
  let service: TestService;
  let proxy: http.Server;
  let url: string;

  beforeAll(async () => {
    service = await startTestService();
    const project = await createProject(service, 'Conformance');
    await createTools(service, project);
    await createPrompts(service, project);
    proxy = startProxy(service.url, service.key);
    await new Promise<void>(resolve => proxy.listen(0, 'localhost', resolve));
    url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp/${project}`;
  });
  afterAll(async () => {
    proxy?.closeAllConnections();
    proxy?.close();
    await service?.stop();
  });

  it.each(selectScenarios(PASSED, SMOKE))('passes in the scenario %s', async scenario => {
    const result = await runScenario('server', scenario, ['--url', url]);
    expect(result).toEqual({ passed: PASSED[scenario], failed: 0 });
  });
});

/** Adds the API key to each request, because the suite sends no credentials. */
function startProxy(target: string, key: string): http.Server {
  return http.createServer((request, response) => {
    const headers = { ...request.headers, 'x-api-key': key };
    const forwarded = http.request(new URL(request.url!, target), { method: request.method!, headers }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => forwarded.destroy());
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
}

/** Creates the tools that the suite calls by name: each returns a constant. */
async function createTools(service: TestService, project: number): Promise<void> {
  const text = (value: string) => ({ type: 'text', text: value });
  const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
  const resource = (uri: string, mimeType: string, value: string) => ({
    ...{ type: 'resource', resource: { uri, mimeType, text: value } },
  });
  const contents: Record<string, object> = {
    test_simple_text: { content: [text('This is a simple text response for testing.')] },
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio', data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' }] },
    test_embedded_resource: {
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    },
    test_multiple_content_types: {
      content: [
        text('Multiple content types test:'),
        image,
        resource('test://mixed', 'application/json', '{"test":1}'),
      ],
    },
    test_error_handling: { content: [text('This tool intentionally returns an error for testing')], isError: true },
    test_tool_with_progress: { content: [text('done')] },
    test_reconnection: { content: [text('Reconnection test completed successfully')] },
  };
  for (const [name, value] of Object.entries(contents))
    await createTool(service, project, name, graph([], node('out', 'output-node', { value: JSON.stringify(value) })));
}

/** Creates the prompts that the suite requests by name. The placeholders of variables are the arguments. */
async function createPrompts(service: TestService, project: number): Promise<void> {
  const create = async (resource: string, body: object) =>
    (await service.rest('POST', `/api/v1/${resource}/`, { body: { project, ...body } })).body;
  const placeholders: string[] = [];
  for (const key of ['arg1', 'arg2']) {
    const { id, variable_names: names } = await create('variables', {
      key,
      variable_names: [{ name: 'v', value: 'x' }],
    });
    placeholders.push(`'<variable>-1,${id},${names[0].id}</variable>'`);
  }
  await create('prompts', { key: 'test_simple_prompt', role: 'user', content: 'This is a simple prompt for testing.' });
  const content = `Prompt with arguments: arg1=${placeholders[0]}, arg2=${placeholders[1]}`;
  await create('prompts', { key: 'test_prompt_with_arguments', role: 'user', content });
}
