import { afterEach, describe, expect, test } from '@jest/globals';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer as SdkServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { McpServer } from '../../src/engine/ports.js';
import { createOutbound } from '../../src/platform/outbound/outbound.js';
import { createMcpCaller } from '../../src/providers/mcp.js';
import { eventually } from '../support/eventually.js';
import { type McpTestServer, startMcpServer } from '../support/upstreams/mcp-server.js';

const mcp = createMcpCaller(createOutbound({ allow: ['127.0.0.1'] }));
const call = { signal: new AbortController().signal };
/** Also a busy machine calls a tool within this time. */
const TIMEOUT_MS = 10_000;
let server: McpTestServer;
let store: InMemoryTaskStore;
/** Number of requests for the state of a task. */
let states = 0;
/** Requested lifetime of the last task in milliseconds. */
let ttl: number | undefined;
/** The last status that a task got. */
let lastStatus: string | undefined;

class ObservedTaskStore extends InMemoryTaskStore {
  override getTask(...args: Parameters<InMemoryTaskStore['getTask']>) {
    states++;
    return super.getTask(...args);
  }

  override updateTaskStatus(...args: Parameters<InMemoryTaskStore['updateTaskStatus']>) {
    [, lastStatus] = args;
    return super.updateTaskStatus(...args);
  }
}

const isCancelled = () =>
  eventually(
    async () => lastStatus,
    status => status === 'cancelled',
  );
/** Resolves after the time limit of a call. */
const callLimitPasses = () => new Promise(resolve => setTimeout(resolve, TIMEOUT_MS + 100));
afterEach(async () => {
  await server.stop();
  store.cleanup();
});

/** A server of the official SDK with a tool that can be called only as a task. */
async function start(
  finish: (taskId: string) => Promise<void>,
  taskSupport: 'required' | 'optional' = 'required',
): Promise<McpServer> {
  store = new ObservedTaskStore();
  states = 0;
  ttl = undefined;
  lastStatus = undefined;
  server = await startMcpServer({
    create: () => {
      const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
      const sdk = new SdkServer({ name: 'tasks', version: '1.0.0' }, { capabilities, taskStore: store });
      sdk.experimental.tasks.registerToolTask(
        'report',
        { execution: { taskSupport } },
        {
          createTask: async ({ taskStore, taskRequestedTtl }) => {
            ttl = taskRequestedTtl;
            const task = await taskStore.createTask({ ttl: ttl ?? null, pollInterval: 20 });
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
  return { endpointUrl: server.url, transport: 'streamable_http', headers: {}, timeoutMs: TIMEOUT_MS };
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

  test('is awaited beyond the time limit of a call', async () => {
    const at = await start(async taskId => {
      await callLimitPasses();
      await store.storeTaskResult(taskId, 'completed', text('a long report'));
    });
    expect(await mcp.callTool(at, { name: 'report' }, {}, call)).toMatchObject(text('a long report'));
    expect(states).toBeGreaterThan(1);
  });

  test('is cancelled when it does not end within the time limit of tasks', async () => {
    const at = await start(async () => {});
    const limited = { ...at, taskTimeoutMs: 300 };
    await expect(mcp.callTool(limited, { name: 'report' }, {}, call)).rejects.toMatchObject({
      code: 'mcp_timeout',
      message: 'the task of the MCP server did not end within 0.3 seconds',
    });
    await isCancelled();
  });

  test('is cancelled with the call', async () => {
    const controller = new AbortController();
    const at = await start(async () => {
      await eventually(
        async () => states,
        count => count > 0,
      );
      controller.abort(new Error('the run was cancelled'));
    });
    await expect(mcp.callTool(at, { name: 'report' }, {}, { signal: controller.signal })).rejects.toThrow(
      'the run was cancelled',
    );
    await isCancelled();
  });
});

describe('a tool that permits a task', () => {
  test('is called as one if there is a time limit for tasks', async () => {
    const at = await start(taskId => store.storeTaskResult(taskId, 'completed', text('done')), 'optional');
    expect(await mcp.callTool({ ...at, taskTimeoutMs: 60_000 }, { name: 'report' }, {}, call)).toMatchObject(
      text('done'),
    );
    expect([states > 0, ttl]).toEqual([true, 60_000 + TIMEOUT_MS]);
  });

  test('is called directly without one', async () => {
    const at = await start(taskId => store.storeTaskResult(taskId, 'completed', text('done')), 'optional');
    expect(await mcp.callTool(at, { name: 'report' }, {}, call)).toMatchObject(text('done'));
    expect(ttl).toBeUndefined();
  });
});
