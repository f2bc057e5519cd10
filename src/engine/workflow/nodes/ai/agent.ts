import { nodeKind, oneOutput } from '../../graph/node-kind.js';
import { agentFields } from './agent/form.js';
import { handoffFaults } from './agent/handoff.js';
import { runAgent } from './agent/loop.js';
import {
  agentSettings,
  DEFAULT_APPROVAL_SECONDS,
  DEFAULT_MAX_STEPS,
  isToolRequest,
  settingFaults,
  toolFaults,
  toolReferences,
} from './agent/settings.js';
import { modelFaults, modelReferences, roleFaults } from './model-settings.js';

export const agent = nodeKind({
  type: 'agent-node',
  nodeType: 'AgentNode',
  title: 'Agent',
  description:
    'Calls a language model with tools, repeatedly until it answers without a tool call. It can hand the conversation over to other agents. The content is the last text of the model.',
  category: 'ai',
  effects: 'steps',
  pinsTools: true,
  outputs: oneOutput,
  defaults: {
    messages: [{ role: 'user', message: '{{ previous.content }}' }],
    settings: { model_name: 'echo', temperature: 0.7 },
    tools: [],
    max_steps: DEFAULT_MAX_STEPS,
    approval: 'never',
    approval_timeout_seconds: DEFAULT_APPROVAL_SECONDS,
  },
  form: {
    icon: 'robot',
    color: '#7c3aed',
    fields: agentFields,
    content: { sample: 'The order 1234 was sent yesterday.' },
  },
  settings: agentSettings,
  isLate: isToolRequest,
  references: data => [...modelReferences(data), ...toolReferences(data)],
  refusals: roleFaults,
  check: (data, context) => [...modelFaults(data, context), ...settingFaults(data), ...toolFaults(data)],
  peersOf: ({ handoffs }) =>
    Array.isArray(handoffs) ? handoffs.filter((id): id is string => typeof id === 'string') : [],
  peerFaults: handoffFaults,
  execute: runAgent,
});
