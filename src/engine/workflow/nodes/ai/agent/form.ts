import { type FieldForms, fieldsUnder } from '../../../graph/node-form.js';
import { httpFields } from '../../data/http.js';
import { mcpServerFields } from '../../data/mcp.js';
import { memoryFields } from '../memory.js';
import { modelFields } from '../model-form.js';

const ofKind = (...kinds: string[]) => ({ path: 'tools.*.kind', equals: kinds });

/** Form of the agent node. */
export const agentFields: FieldForms = {
  ...modelFields,
  ...memoryFields,
  tools: { title: 'Tools', widget: 'list' },
  'tools.*.kind': { title: 'Kind', widget: 'select' },
  'tools.*.name': { title: 'Name', widget: 'text', showIf: ofKind('http') },
  'tools.*.workflow_id': {
    title: 'Workflow',
    widget: 'workflow',
    optionsFrom: 'workflows',
    showIf: ofKind('workflow'),
  },
  'tools.*.document_ids': {
    title: 'Documents',
    widget: 'documents',
    optionsFrom: 'documents',
    showIf: ofKind('search'),
  },
  'tools.*.description': { title: 'Description', widget: 'textarea', showIf: ofKind('http', 'workflow', 'search') },
  'tools.*.parameters': { title: 'JSON Schema of the arguments', widget: 'json', showIf: ofKind('http') },
  ...fieldsUnder('tools.*.request', httpFields, ofKind('http')),
  ...fieldsUnder('tools.*', mcpServerFields, ofKind('mcp')),
  'tools.*.allowed_tools': {
    title: 'Allowed tools',
    widget: 'strings',
    optionsFrom: 'mcp_tools',
    showIf: ofKind('mcp'),
  },
  handoffs: { title: 'Other agents that may continue', widget: 'strings', optionsFrom: 'agents' },
  max_handoffs: { title: 'Maximum handoffs', widget: 'number', group: 'advanced' },
  max_steps: { title: 'Maximum model calls', widget: 'number', group: 'advanced' },
  parallel_tools: { title: 'Tool calls at the same time', widget: 'number', group: 'advanced' },
  max_cost_usd: { title: 'Maximum cost in US dollars', widget: 'number', group: 'advanced' },
  approval: { title: 'Ask for approval', widget: 'select', group: 'approval' },
  approval_timeout_seconds: {
    title: 'Seconds to wait for a decision',
    widget: 'number',
    group: 'approval',
    showIf: { path: 'approval', equals: ['tools', 'always'] },
  },
};
