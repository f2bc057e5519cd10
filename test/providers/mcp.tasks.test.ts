import { afterEach, describe, expect, test } from '@jest/globals';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer as SdkServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { McpServer } from '../../src/engine/ports.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { createMcpCaller } from '../../src/providers/mcp.js';
import { type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';

const mcp = createMcpCaller(createOutbound({ allow: ['127.0.0.1'] }));
const call = { signal: new AbortController().signal };
let server: McpTestServer;
let store: InMemoryTaskStore;
afterEach(async () => {
  await server.stop();
  store.cleanup();
});

/** A server of the official SDK with a tool that can be called only as a task. */
async function start(finish: (taskId: string) => Promise<void>): Promise<McpServer> {
  store = new InMemoryTaskStore();
  server = await startMcpServer({
    create: () => {
      const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
      const sdk = new SdkServer({ name: 'tasks', version: '1.0.0' }, { capabilities, taskStore: store });
      sdk.experimental.tasks.registerToolTask(
        'report',
        { execution: { taskSupport: 'required' } },
        {
          createTask: async ({ taskStore, taskRequestedTtl }) => {
            const task = await taskStore.createTask({ ttl: taskRequestedTtl ?? null, pollInterval: 20 });
            void finish(task.taskId);
            return { task };
          },
          getTask: ({ taskStore, taskId }) => taskStore.getTask(taskId),
          getTaskResult: async ({ taskStore, taskId }) =>
            (await taskStore.getTaskResult(taskId)) as { content: { type: 'text'; text: string }[] },
        },
      );
      return sdk.server;
    },
  });
  return { endpointUrl: server.url, transport: 'streamable_http', headers: {}, timeoutMs: 2_000 };
}
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

describe('a tool that requires a task', () => {
  test('is called as a task, whose result is awaited', async () => {
    const at = await start(taskId => store.storeTaskResult(taskId, 'completed', text('the report')));
    expect(await mcp.callTool(at, { name: 'report' }, {}, call)).toMatchObject({
      ...text('the report'),
      isError: false,
    });
  });

  test('fails with its task', async () => {
    const at = await start(taskId => store.storeTaskResult(taskId, 'failed', { ...text('no paper'), isError: true }));
    expect(await mcp.callTool(at, { name: 'report' }, {}, call)).toMatchObject({ ...text('no paper'), isError: true });
  });

  test('fails when the task does not end in time', async () => {
    const at = await start(async () => {});
    await expect(mcp.callTool(at, { name: 'report' }, {}, call)).rejects.toMatchObject({ code: 'mcp_timeout' });
  });
});
