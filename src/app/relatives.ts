import type { RESOLVERS } from '../graphql/schema.js';
import type { BillingService } from '../modules/billing/billing.service.js';
import { DocumentProjectResolver, ProjectDocumentsResolver } from '../modules/documents/document-relatives.resolver.js';
import {
  KeywordRelativesResolver,
  KeywordRunRelativesResolver,
  ProjectKeywordsResolver,
} from '../modules/keywords/keyword-relatives.resolver.js';
import { ProjectMessagesResolver } from '../modules/messages/project-messages.resolver.js';
import { PromptMessagesResolver } from '../modules/messages/prompt-messages.resolver.js';
import { ProjectPromptsResolver } from '../modules/prompts/project-prompts.resolver.js';
import {
  ChunkRunResolver,
  DocumentRecognitionsResolver,
  ProjectRecognitionsResolver,
  RecognitionRelativesResolver,
} from '../modules/recognition/recognition-relatives.resolver.js';
import {
  ProjectScenarioRunsResolver,
  ScenarioRunRelativesResolver,
  ScenarioRunsResolver,
} from '../modules/scenario-runs/scenario-run-relatives.resolver.js';
import { MessageScenariosResolver } from '../modules/scenarios/message-scenarios.resolver.js';
import { ProjectScenariosResolver } from '../modules/scenarios/project-scenarios.resolver.js';
import { ProjectVariablesResolver } from '../modules/variables/project-variables.resolver.js';
import {
  ProjectRunsResolver,
  WorkflowHistoryResolver,
  WorkflowRunRelativesResolver,
} from '../modules/workflow-runs/api/workflow-run-relatives.resolver.js';
import type { RunLists } from '../modules/workflow-runs/history/run-lists.js';
import type { WorkflowRunService } from '../modules/workflow-runs/history/workflow-run.service.js';
import { ProjectWorkflowsResolver } from '../modules/workflows/project-workflows.resolver.js';
import type { Database } from '../platform/database/database.js';

interface Parts {
  database: Database;
  billing: BillingService;
  runs: WorkflowRunService;
  lists: RunLists;
}

/** The fields that lead from one resource to another: rows that their reader has been let in to, read by loaders. */
export function relatives({ database, billing, runs, lists }: Parts): [(typeof RESOLVERS)[number], object][] {
  const plain = [
    ...[ProjectVariablesResolver, ProjectPromptsResolver, ProjectMessagesResolver, ProjectScenariosResolver],
    ...[PromptMessagesResolver, MessageScenariosResolver],
    ...[ProjectDocumentsResolver, DocumentProjectResolver],
    ...[ProjectRecognitionsResolver, DocumentRecognitionsResolver, RecognitionRelativesResolver, ChunkRunResolver],
    ...[ProjectKeywordsResolver, KeywordRunRelativesResolver, KeywordRelativesResolver],
    ...[ProjectScenarioRunsResolver, ScenarioRunsResolver, ScenarioRunRelativesResolver],
    ProjectWorkflowsResolver,
  ];
  return [
    ...plain.map((resolver): [(typeof RESOLVERS)[number], object] => [resolver, new resolver(database)]),
    [ProjectRunsResolver, new ProjectRunsResolver(lists)],
    [WorkflowHistoryResolver, new WorkflowHistoryResolver(lists)],
    [WorkflowRunRelativesResolver, new WorkflowRunRelativesResolver(database, runs, billing)],
  ];
}
