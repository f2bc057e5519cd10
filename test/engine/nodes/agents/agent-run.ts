import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../src/engine/json-value.js';
import type {
  McpCaller,
  McpTool,
  ModelAnswer,
  ModelRequest,
  PortError,
  SearchPort,
  SubRunEnd,
  ToolCall,
} from '../../../../src/engine/ports.js';
import type { ApprovalAnswer, PendingApproval } from '../../../../src/engine/workflow/graph/approvals/approval.js';
import { compileGraph } from '../../../../src/engine/workflow/graph/graph.js';
import type { Step, Steps, SubRunRequest } from '../../../../src/engine/workflow/graph/node-kind.js';
import { prepareNode } from '../../../../src/engine/workflow/graph/prepared-node.js';
import { RunScope } from '../../../../src/engine/workflow/run/run-scope.js';
import { fakePorts, type Script, usageOf } from '../../fake-ports.js';
import { resultsOf, trigger, workflow } from '../../samples.js';

const agent = (data: JsonObject) => ({
  id: 'a',
  type: 'agent-node',
  data: { messages: [{ role: 'user', message: 'Go.' }], settings: { model_name: 'echo' }, ...data },
});
const t = trigger('t', { input_fields: [{ id: 'key', type: 'text' }] });
export const graphOf = (data: JsonObject) => workflow([t, agent(data)], ['t>a']);

export type Decision = 'approved' | 'rejected' | 'expired';

export interface AgentScript {
  /** The model's answers in order; the last one is repeated. */
  model: (string | Partial<ToolCall>[] | Error)[];
  input?: JsonObject;
  http?: Script<{ url: string }, { status?: number; body?: string }>;
  mcp?: Partial<McpCaller>;
  search?: SearchPort['search'];
  decide?: (request: PendingApproval) => Decision | ApprovalAnswer;
  subRun?: (request: SubRunRequest) => SubRunEnd;
  pins?: Map<string, string>;
  /** Steps that an earlier execution recorded. */
  recorded?: Map<string, string>;
}

/** Executes only an agent: its steps are kept in memory, and `script` answers for external services. */
export async function runAgent(data: JsonObject, script: AgentScript) {
  const { model, http, mcp, search, decide = () => 'approved', recorded = new Map(), pins = new Map() } = script;
  let answerCount = 0;
  const llm = (request: ModelRequest): ModelAnswer | Error => {
    const answer = model[Math.min(answerCount++, model.length - 1)]!;
    if (answer instanceof Error) return answer;
    if (typeof answer === 'string') return { text: answer, usage: usageOf(request) };
    const toolCalls = answer.map((call, index) => ({ id: `c${index}`, name: '', arguments: '{}', ...call }));
    return { text: '', toolCalls, usage: usageOf(request) };
  };
  const ports = fakePorts({ llm, ...(http ? { http } : {}), ...(mcp ? { mcp } : {}), ...(search ? { search } : {}) });
  /** The names of all steps in order, recorded ones included. */
  const done: string[] = [];
  const steps: (Step & { content?: string; usage?: unknown })[] = [];
  const approvals: PendingApproval[] = [];
  const inMemory: Steps = {
    async call(step, work) {
      expect(done).not.toContain(step.name);
      done.push(step.name);
      const known = recorded.get(step.name);
      if (known !== undefined) return known;
      const call = { signal: new AbortController().signal, idempotencyKey: `run:a:${step.name}` };
      const outcome = await work(call);
      steps.push({ ...step, ...outcome });
      return outcome.content;
    },
    async requestApproval(step, approval) {
      done.push(step.name);
      approvals.push(approval);
      const answer = decide(approval);
      return typeof answer === 'string' ? { decision: answer } : answer;
    },
    waitForEvent: () => Promise.reject(new Error('an agent waits for no event')),
    sendEvent: () => Promise.reject(new Error('an agent sends no event')),
    waitSeconds: async () => {},
    waitUntil: async () => {},
    async executeSubRun(step, subRun) {
      done.push(step.name);
      return script.subRun?.(subRun) ?? { status: 'failed', runId: 'r', error: { code: 'x', message: 'no sub-runs' } };
    },
    startRun: () => Promise.reject(new Error('an agent starts no detached run')),
    executeScenarioRun: () => Promise.reject(new Error('an agent runs no scenario')),
  };
  const graph = compileGraph(graphOf(data));
  const node = graph.byId.get('a')!;
  const now = ports.clock.now().toISOString();
  const scope = new RunScope({ graph, input: script.input ?? {}, runId: 'run-1', reader: node, now }, resultsOf([]));
  const call = { signal: new AbortController().signal, idempotencyKey: 'run:a' };
  const work = async () =>
    node.kind.execute({
      settings: prepareNode(node).resolve(scope),
      scope,
      ports,
      call,
      steps: inMemory,
      iterations: {
        run: () => Promise.reject(new Error('an agent has no iterations')),
        tryRun: () => Promise.reject(new Error('an agent has no iterations')),
      },
      deadline: null,
      peer: () => undefined,
      pins: { hashOf: tool => pins.get(tool), keep: async (tool, hash) => void pins.set(tool, hash) },
    });
  // The result of the node or the error that it threw.
  const end = await work().catch((error: unknown) => error as PortError);
  return { end, done, steps, approvals, pins, prompts: ports.prompts, requests: ports.httpRequests };
}

/** The results of tool calls in the last request to the model. */
export const toolResults = ({ prompts }: { prompts: ModelRequest[] }) =>
  prompts.at(-1)?.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

export const lookUp = (more: JsonObject = {}, request: JsonObject = {}): JsonObject => ({
  kind: 'http',
  name: 'look_up',
  description: 'Looks a word up.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string' }, count: { type: 'integer' } },
    required: ['word'],
  },
  request: { url: 'http://outside/words', params: { q: '{{ args.word }}', n: '{{ args.count }}' }, ...request },
  ...more,
});
export const lookUpCall = (args: unknown) => ({
  name: 'look_up',
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

export const sayTool: McpTool = {
  name: 'say it',
  description: 'Says it.',
  inputSchema: { type: 'object', properties: { text: {} } },
};
export const server = (tools: McpTool[], callTool?: McpCaller['callTool']): Partial<McpCaller> => ({
  listTools: async () => tools,
  schemaHash: ({ name, description }) => `${name}/${description}`,
  callTool:
    callTool ??
    (async (_, tool, args) => ({
      content: [{ type: 'text', text: `${tool.name}:${args.text}` }],
      isError: false,
      schemaHash: tool.schemaHash ?? '',
    })),
});
export const mcpTools = (more: JsonObject = {}): JsonObject => ({
  kind: 'mcp',
  endpoint_url: 'http://outside/mcp',
  ...more,
});
