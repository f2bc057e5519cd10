import type { Table } from '../../platform/database/typed-queries.js';
import type { WorkflowBookmarkEntity } from './bookmarks/workflow-bookmark.entity.js';
import type { MarketTermsEntity } from './market/market-terms.entity.js';
import type { WorkflowRevisionToolPinEntity } from './mcp-tools/workflow-revision-tool-pin.entity.js';
import type { WorkflowPublicationEntity } from './revisions/workflow-publication.entity.js';
import type { Workflow } from './workflow.js';
import type { WorkflowFiguresEntity } from './workflow-figures.entity.js';
import type { WorkflowRevision } from './workflow-revision.js';

export interface WorkflowTables {
  workflow: Table<Workflow>;
  workflow_bookmark: Table<typeof WorkflowBookmarkEntity>;
  workflow_revision: Table<WorkflowRevision>;
  workflow_publication: Table<typeof WorkflowPublicationEntity>;
  market_terms: Table<typeof MarketTermsEntity>;
  workflow_figures: Table<typeof WorkflowFiguresEntity>;
  workflow_revision_tool_pin: Table<typeof WorkflowRevisionToolPinEntity>;
}
