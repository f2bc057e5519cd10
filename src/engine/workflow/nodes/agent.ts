import { nodeKind, oneOutput } from '../graph/node-kind.js';
import { runAgent } from './agent/loop.js';
import {
  agentSettings,
  DEFAULT_APPROVAL_SECONDS,
  DEFAULT_MAX_STEPS,
  isToolRequest,
  toolFaults,
  toolReferences,
} from './agent/settings.js';
import { modelReferences, unservedModel } from './model-settings.js';

export const agent = nodeKind({
  type: 'agent-node',
  nodeType: 'AgentNode',
  title: 'Agent',
  description:
    "Asks a language model that may call tools, until it answers without calling one. Its content is the model's last text.",
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
  settings: agentSettings,
  isLate: isToolRequest,
  references: data => [...modelReferences(data), ...toolReferences(data)],
  check: (data, world) => [...unservedModel(data, world), ...toolFaults(data)],
  execute: runAgent,
});
