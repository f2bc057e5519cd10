import { z } from 'zod';
import { compileValue } from '../../../../expressions/template.js';
import { schemaFault } from '../../../../json-schema/schema-fault.js';
import { isObject, type JsonObject } from '../../../../json-value.js';
import { MAX_INTEGER } from '../../../../max-integer.js';
import type { KindFault, NodeReference } from '../../../graph/node-kind.js';
import type { SettingMode } from '../../../graph/settings.js';
import { addressFaults, connectionReferences } from '../../data/connection.js';
import { httpSettings } from '../../data/http.js';
import { mcpServerHosts, mcpServerSettings } from '../../data/mcp.js';
import { documentIdsSetting } from '../../data/search.js';
import { memoryMember } from '../memory.js';
import { modelMembers } from '../model-settings.js';

export const DEFAULT_MAX_STEPS = 10;
export const DEFAULT_APPROVAL_SECONDS = 86_400;
const MAX_APPROVAL_SECONDS = 30 * 86_400;
const MAX_TOOLS = 64;
const MAX_PARALLEL = 16;
/** Maximum number of agents to which one agent may hand the conversation over. */
const MAX_TARGETS = 16;
const MAX_HANDOFFS = 20;
const KINDS = ['mcp', 'http', 'workflow', 'search'] as const;

const mcpTool = (setting: SettingMode) =>
  z.looseObject({
    kind: z.literal('mcp').describe('Tools of an MCP server.'),
    ...mcpServerSettings(setting),
    allowed_tools: setting
      .value(z.array(z.string().min(1)).max(1000))
      .nullish()
      .describe("Names of the server's tools that the model may call. Default: all tools."),
  });

const parameters = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  const { type = 'object' } = schema;
  const message = type === 'object' ? schemaFault(schema) : 'type must be object';
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const httpTool = (setting: SettingMode) =>
  z.looseObject({
    kind: z.literal('http').describe('An HTTP request.'),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1-64 letters, digits, underscores and hyphens')
      .describe('Name of the tool for the model: 1-64 letters, digits, underscores and hyphens.'),
    description: setting.text(z.string().max(10_000)).nullish().describe('Description of the tool for the model.'),
    parameters: setting
      .value(parameters)
      .nullish()
      .describe(
        'JSON Schema of the arguments; its type is `object`. Invalid arguments are rejected. Default: any arguments.',
      ),
    request: setting
      .late(httpSettings(setting))
      .describe(
        'The request, with the settings of an HTTP node. `{{ args.<name> }}` is replaced by an argument of the call.',
      ),
  });

const workflowTool = (setting: SettingMode) =>
  z.looseObject({
    kind: z.literal('workflow').describe('Another workflow.'),
    workflow_id: setting
      .value(z.number().int().min(1).max(MAX_INTEGER))
      .describe('Id of a workflow of the same project. The arguments become the input of its run.'),
    description: setting.text(z.string().max(10_000)).nullish().describe('Description of the workflow for the model.'),
  });

const searchTool = (setting: SettingMode) =>
  z.looseObject({
    kind: z.literal('search').describe('A search in the documents of the project.'),
    document_ids: documentIdsSetting(setting),
    description: setting.text(z.string().max(10_000)).nullish().describe('Description of the documents for the model.'),
  });

const tool = (setting: SettingMode) =>
  z.discriminatedUnion('kind', [mcpTool(setting), httpTool(setting), workflowTool(setting), searchTool(setting)], {
    error: issue => (isObject(issue.input) ? `must be one of ${KINDS.join(', ')}` : 'must be an object'),
  });

/** Settings of the agent node. */
export const agentSettings = (setting: SettingMode) =>
  z.looseObject({
    ...modelMembers(setting),
    memory: memoryMember(setting),
    tools: z
      .array(tool(setting))
      .max(MAX_TOOLS)
      .nullish()
      .describe('Tools that the model may call, at most 64. Default: none.'),
    max_steps: setting
      .value(z.number().int().min(1).max(100))
      .nullish()
      .describe(
        'Maximum number of model calls, 1-100. The node fails with `max_steps_reached` if the model needs more. Default 10.',
      ),
    parallel_tools: setting
      .value(z.number().int().min(1).max(MAX_PARALLEL))
      .nullish()
      .describe(
        'Tool calls of one answer that are made at the same time, 1-16. Their results are passed to the model in the order of the calls. Default 1.',
      ),
    max_cost_usd: setting
      .value(z.number().positive().max(1_000_000))
      .nullish()
      .describe(
        'Cost of the model calls in US dollars, more than 0 and at most 1000000, from which no further call is made. The node then fails with `max_cost_reached`. Calls without a known price and the runs of tools do not count. Default: no limit.',
      ),
    handoffs: z
      .array(z.string().min(1))
      .max(MAX_TARGETS)
      .nullish()
      .describe(
        'Ids of other agent nodes of the graph to which the model may hand the conversation over, at most 16. No edge needs to lead to them. Default: none.',
      ),
    max_handoffs: setting
      .value(z.number().int().min(1).max(MAX_HANDOFFS))
      .nullish()
      .describe(
        'Maximum number of handoffs, 1-20. Further ones are rejected, and the model answers itself. Default 5.',
      ),
    approval: setting
      .value(z.enum(['never', 'tools', 'always']))
      .nullish()
      .describe(
        'When a person must approve: `never` (default), before each tool call (`tools`), or before each tool call and the start of the agent (`always`).',
      ),
    approval_timeout_seconds: setting
      .value(z.number().int().min(1).max(MAX_APPROVAL_SECONDS))
      .nullish()
      .describe(
        'Seconds after which an unanswered approval request counts as rejected, 1-2592000. Default 86400 (1 day).',
      ),
  });
export type AgentSettings = z.infer<ReturnType<typeof agentSettings>>;
export type ToolSettings = NonNullable<AgentSettings['tools']>[number];

/** Returns true for the request of an HTTP tool, which is rendered for each call. */
export const isToolRequest = (path: string): boolean => /^tools\.\d+\.request$/.test(path);

/** Returns the references of all tools. */
export function toolReferences({ tools }: JsonObject): NodeReference[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool, index): NodeReference[] => {
    if (!isObject(tool)) return [];
    const at = `tools.${index}`;
    switch (tool.kind) {
      case 'workflow':
        return [{ kind: 'workflow', path: `${at}.workflow_id`, value: tool.workflow_id }];
      case 'search':
        return [{ kind: 'document', path: `${at}.document_ids`, value: tool.document_ids }];
      case 'mcp':
        return [
          ...mcpServerHosts(tool, `${at}.`),
          { kind: 'tool', path: `${at}.allowed_tools`, value: tool.allowed_tools ?? '*' },
          ...connectionReferences(tool, 'mcp', `${at}.`),
        ];
      case 'http':
        return [
          { kind: 'host', path: `${at}.request.url`, value: isObject(tool.request) ? tool.request.url : undefined },
          { kind: 'tool', path: `${at}.name`, value: tool.name },
          ...(isObject(tool.request) ? connectionReferences(tool.request, 'http', `${at}.request.`) : []),
        ];
      default:
        return [];
    }
  });
}

/** Returns a fault for functions in `settings`, which the agent could not call. */
export function settingFaults({ settings }: JsonObject): KindFault[] {
  if (!isObject(settings) || settings.tools === undefined || settings.tools === null) return [];
  const message = 'is not supported by the agent; list its tools in "tools" of the node';
  return [{ path: 'settings.tools', code: 'unsupported_parameter', message }];
}

/** Returns the faults of tools: duplicate names, and placeholders for undeclared arguments. */
export function toolFaults({ tools }: JsonObject): KindFault[] {
  if (!Array.isArray(tools)) return [];
  const names = new Set<unknown>();
  return tools.flatMap((each, index) => {
    if (!isObject(each)) return [];
    if (each.kind === 'mcp') return addressFaults(each, 'endpoint_url', `tools.${index}.`);
    if (each.kind !== 'http') return [];
    const path = `tools.${index}.name`;
    const duplicates = names.has(each.name)
      ? [{ path, code: 'invalid_setting', message: 'must differ from the names of other tools' }]
      : [];
    names.add(each.name);
    const at = `tools.${index}.request`;
    const ofAddress = isObject(each.request) ? addressFaults(each.request, 'url', `${at}.`) : [];
    return [...duplicates, ...ofAddress, ...unknownArguments(each, at)];
  });
}

function unknownArguments({ parameters: schema, request }: JsonObject, at: string): KindFault[] {
  if (typeof schema === 'string') return [];
  const declared = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  return compileValue(request).uses.flatMap(({ path, reference, hasDefault }) => {
    const [name = ''] = reference.path;
    if (reference.root !== 'args' || hasDefault || Object.hasOwn(declared, name)) return [];
    const message = 'refers to an argument that parameters.properties does not declare';
    return [{ path: path === '' ? at : `${at}.${path}`, code: 'unknown_reference', message }];
  });
}
