import { accounts } from '../accounts/index.js';
import { documents } from '../documents/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { prompts } from '../prompts/index.js';
import { serviceHealth } from '../service-health/index.js';
import { packageVersion } from '../service-health/package-version.js';
import { variables } from '../variables/index.js';
import { workflowRuns } from '../workflow-runs/index.js';
import { workflows } from '../workflows/index.js';
import { Elicitations } from './protocol/elicitations.js';
import { McpEndpoint } from './protocol/mcp-endpoint.js';
import { McpSessions } from './protocol/mcp-sessions.js';
import { PromptLibrary } from './protocol/prompt-library.js';
import { Resources } from './protocol/resources.js';
import { ToolCalls } from './protocol/tool-calls.js';
import { McpServerToolEntity } from './tools/mcp-server-tool.entity.js';
import { McpServerToolResolver } from './tools/mcp-server-tool.resolver.js';
import { McpServerToolService } from './tools/mcp-server-tool.service.js';

/** The MCP server of each project: workflows as tools, documents and runs as resources, and prompts. */
export const mcpServer = defineModule({
  name: 'mcp-server',
  needs: { accounts, documents, projects, prompts, serviceHealth, variables, workflowRuns, workflows },
  entities: [McpServerToolEntity],
  resolvers: [McpServerToolResolver],
  create(
    { database, bus, vault, telemetry },
    {
      accounts: { idempotentStarts },
      projects: { access },
      documents: { service: documentService, files },
      workflowRuns: { runs, approvals, changeStreams: streams },
      workflows: { revisions },
    },
  ) {
    const tools = new McpServerToolService(database, access);
    const { log } = telemetry;
    const elicitations = new Elicitations(approvals);
    const endpoint = new McpEndpoint({
      ...{ database, access, elicitations, version: packageVersion() },
      sessions: new McpSessions(vault),
      calls: new ToolCalls({ database, bus, log, tools, revisions, runs, streams, idempotentStarts, elicitations }),
      resources: new Resources({ database, documents: documentService, files, runs }),
      prompts: new PromptLibrary(database, access),
    });
    return {
      services: { endpoint },
      resolvers: [new McpServerToolResolver(tools, revisions)],
    };
  },
});
