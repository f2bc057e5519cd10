import type { Database } from '../base/database.js';
import type { RESOLVERS } from '../graphql/schema.js';
import type { BillingService } from '../resources/billing/billing.service.js';
import {
  DocumentProjectResolver,
  ProjectDocumentsResolver,
} from '../resources/documents/document-relatives.resolver.js';
import {
  KeywordRelativesResolver,
  KeywordRunRelativesResolver,
  ProjectKeywordsResolver,
} from '../resources/keywords/keyword-relatives.resolver.js';
import { ProjectMessagesResolver } from '../resources/messages/project-messages.resolver.js';
import { PromptMessagesResolver } from '../resources/messages/prompt-messages.resolver.js';
import { ProjectPromptsResolver } from '../resources/prompts/project-prompts.resolver.js';
import {
  ChunkRunResolver,
  DocumentRecognitionsResolver,
  ProjectRecognitionsResolver,
  RecognitionRelativesResolver,
} from '../resources/recognition/recognition-relatives.resolver.js';
import {
  ProjectScenarioRunsResolver,
  ScenarioRunRelativesResolver,
  ScenarioRunsResolver,
} from '../resources/scenario-runs/scenario-run-relatives.resolver.js';
import { MessageScenariosResolver } from '../resources/scenarios/message-scenarios.resolver.js';
import { ProjectScenariosResolver } from '../resources/scenarios/project-scenarios.resolver.js';
import { ProjectVariablesResolver } from '../resources/variables/project-variables.resolver.js';
import type { RunLists } from '../resources/workflow-runs/run-lists.js';
import type { WorkflowRunService } from '../resources/workflow-runs/workflow-run.service.js';
import {
  ProjectRunsResolver,
  WorkflowHistoryResolver,
  WorkflowRunRelativesResolver,
} from '../resources/workflow-runs/workflow-run-relatives.resolver.js';
import { ProjectWorkflowsResolver } from '../resources/workflows/project-workflows.resolver.js';

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
