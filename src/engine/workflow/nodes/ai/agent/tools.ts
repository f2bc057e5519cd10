import type { JsonObject } from '../../../../json-value.js';
import { httpTool } from './http-tool.js';
import { listMcpTools, MAX_TOOLS, tooManyTools } from './mcp-tool.js';
import { searchTool } from './search-tool.js';
import type { ToolSettings } from './settings.js';
import { type AgentTool, type NamedTool, type ToolContext, toolFailure } from './tool.js';
import { functionName, truncateText } from './tool-texts.js';

/** Collects the tools that the model may call, by the names under which it calls them. */
export async function gatherTools(
  settings: readonly ToolSettings[],
  context: ToolContext,
): Promise<ReadonlyMap<string, NamedTool>> {
  const tools: AgentTool[] = [];
  for (const [position, each] of settings.entries()) {
    if (each.kind === 'mcp') tools.push(...(await listMcpTools(each, position, context)));
    else tools.push(toolOf(each, context));
    if (tools.length > MAX_TOOLS) throw tooManyTools();
  }
  return assignNames(tools, new Set(settings.flatMap(each => (each.kind === 'http' ? [each.name] : []))));
}

function toolOf(settings: Exclude<ToolSettings, { kind: 'mcp' }>, context: ToolContext): AgentTool {
  switch (settings.kind) {
    case 'http':
      return httpTool(settings, context);
    case 'workflow':
      return workflowTool(settings, context);
    case 'search':
      return searchTool(settings, context);
  }
}

/** Names that users chose are fixed. Names from servers and workflows are changed to avoid them. */
function assignNames(tools: readonly AgentTool[], fixedNames: ReadonlySet<string>): ReadonlyMap<string, NamedTool> {
  const byName = new Map<string, NamedTool>();
  const usedNames = { has: (name: string) => byName.has(name) || fixedNames.has(name) };
  for (const tool of tools) {
    const { description, parameters, isNameFixed } = tool;
    const name = isNameFixed ? tool.name : functionName(tool.name, usedNames);
    byName.set(name, { ...tool, offered: { name, description, parameters } });
  }
  return byName;
}

/** A tool that runs another workflow of the project with the arguments as its input. */
function workflowTool(
  { workflow_id: workflowId, description }: Extract<ToolSettings, { kind: 'workflow' }>,
  { steps }: ToolContext,
): AgentTool {
  const parameters: JsonObject = { type: 'object' };
  return {
    name: `workflow_${workflowId}`,
    description: description ?? `Runs the workflow ${workflowId}; the arguments are its input.`,
    parameters,
    workflowId,
    call: async (step, input) => {
      const end = await steps.executeSubRun(step, { workflowId, input });
      return end.status === 'succeeded' ? truncateText(end.content) : toolFailure(end.error.message);
    },
  };
}
