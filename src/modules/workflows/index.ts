import { ListPayloads } from '../../platform/lists/list-payloads.js';
import { accounts } from '../accounts/index.js';
import { billing } from '../billing/index.js';
import { categories } from '../categories/index.js';
import { connections } from '../connections/index.js';
import { defineModule } from '../module.js';
import { projectVariables } from '../project-variables/index.js';
import { projects } from '../projects/index.js';
import { providerKeys } from '../provider-keys/index.js';
import { WorkflowBookmarkEntity } from './bookmarks/workflow-bookmark.entity.js';
import { MarketTermsEntity } from './market/market-terms.entity.js';
import { McpToolsResolver } from './mcp-tools/mcp-tools.resolver.js';
import { McpToolsService } from './mcp-tools/mcp-tools.service.js';
import { ToolPinner } from './mcp-tools/tool-pinner.js';
import { ToolPinStore } from './mcp-tools/tool-pins.js';
import { WorkflowRevisionToolPinEntity } from './mcp-tools/workflow-revision-tool-pin.entity.js';
import { ProjectWorkflowsResolver } from './project-workflows.resolver.js';
import { RevisionStore } from './revision-store.js';
import { RevisionResolver } from './revisions/revision.resolver.js';
import { RevisionService } from './revisions/revision.service.js';
import { WorkflowPublicationEntity } from './revisions/workflow-publication.entity.js';
import { Workflow } from './workflow.js';
import { WorkflowResolver } from './workflow.resolver.js';
import { WorkflowService } from './workflow.service.js';
import { WorkflowFiguresEntity } from './workflow-figures.entity.js';
import { WorkflowRevision } from './workflow-revision.js';

export const workflows = defineModule({
  name: 'workflows',
  needs: { accounts, billing, categories, connections, projects, projectVariables, providerKeys },
  entities: [
    Workflow,
    WorkflowBookmarkEntity,
    WorkflowRevision,
    WorkflowPublicationEntity,
    MarketTermsEntity,
    WorkflowFiguresEntity,
    WorkflowRevisionToolPinEntity,
  ],
  resolvers: [WorkflowResolver, RevisionResolver, ProjectWorkflowsResolver, McpToolsResolver],
  create(
    { telemetry, database, vault, mcp, pageBytes },
    {
      connections: { connectionStore, runConnections },
      projects: { access },
      projectVariables: { variableReader },
      providerKeys: { servedModels },
    },
  ) {
    const revisions = new RevisionStore(database, vault);
    const toolPins = new ToolPinStore(database);
    const toolPinner = new ToolPinner(revisions, toolPins, mcp, telemetry.log, variableReader, runConnections);
    const guides = new ListPayloads<Pick<Workflow, 'readmeGuide'>>(database, pageBytes, {
      table: 'workflow',
      columns: { readmeGuide: 'readme_guide' },
    });
    const workflows = new WorkflowService(
      database,
      access,
      revisions,
      servedModels,
      toolPinner,
      variableReader,
      connectionStore,
    );
    const savedRevisions = new RevisionService(database, access, revisions, toolPinner);
    return {
      services: { workflows, savedRevisions, guides, revisions, toolPins, toolPinner },
      resolvers: [
        new WorkflowResolver(database, workflows, revisions, savedRevisions, access, pageBytes, guides),
        new RevisionResolver(database, savedRevisions, revisions, pageBytes),
        new ProjectWorkflowsResolver(database),
        new McpToolsResolver(new McpToolsService(database, revisions, mcp, variableReader, runConnections)),
      ],
    };
  },
});
