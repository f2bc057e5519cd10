import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import { ApiKeyResolver } from '../modules/accounts/api-keys/api-key.resolver.js';
import type { RequestContext } from '../modules/accounts/request-context.js';
import { SessionResolver } from '../modules/accounts/sessions/session.resolver.js';
import { UserResolver } from '../modules/accounts/users/user.resolver.js';
import { ProjectActivitySubscriptionResolver } from '../modules/activity/project-activity.subscription.js';
import { ApiKeyBudgetResolver } from '../modules/billing/budgets/api-key-budget.resolver.js';
import {
  OperatorLimitResolver,
  ProjectLimitResolver,
  UserLimitResolver,
} from '../modules/billing/budgets/operator-limit.resolver.js';
import { ProjectBudgetResolver } from '../modules/billing/budgets/project-budget.resolver.js';
import { EarningsResolver } from '../modules/billing/earnings.resolver.js';
import { CatalogResolver } from '../modules/catalog/catalog.resolver.js';
import { CategoryResolver } from '../modules/categories/category.resolver.js';
import { SubcategoryResolver } from '../modules/categories/subcategory.resolver.js';
import { ApiKeySpendingResolver } from '../modules/chat/api-key-spending.resolver.js';
import { ChatResolver } from '../modules/chat/chat.resolver.js';
import { DocumentResolver } from '../modules/documents/document.resolver.js';
import { DocumentProjectResolver, ProjectDocumentsResolver } from '../modules/documents/document-relatives.resolver.js';
import { ProjectStorageResolver } from '../modules/documents/project-storage.resolver.js';
import { KeywordResolver } from '../modules/keywords/keyword.resolver.js';
import {
  KeywordRelativesResolver,
  KeywordRunRelativesResolver,
  ProjectKeywordsResolver,
} from '../modules/keywords/keyword-relatives.resolver.js';
import { KeywordRunResolver } from '../modules/keywords/runs/keyword-run.resolver.js';
import { MaintenanceResolver } from '../modules/maintenance/maintenance.resolver.js';
import { MarketplaceResolver } from '../modules/marketplace/marketplace.resolver.js';
import { PublicationResolver } from '../modules/marketplace/publication.resolver.js';
import { WorkflowGapsResolver } from '../modules/marketplace/workflow-gaps.resolver.js';
import { WorkflowTermsResolver } from '../modules/marketplace/workflow-terms.resolver.js';
import { MessageResolver } from '../modules/messages/message.resolver.js';
import { ProjectMessagesResolver } from '../modules/messages/project-messages.resolver.js';
import { PromptMessagesResolver } from '../modules/messages/prompt-messages.resolver.js';
import { AuditLogResolver } from '../modules/projects/audit/audit-log.resolver.js';
import { InvitationResolver } from '../modules/projects/members/invitation.resolver.js';
import { MemberResolver } from '../modules/projects/members/member.resolver.js';
import { ProjectResolver } from '../modules/projects/project.resolver.js';
import { ProjectPromptsResolver } from '../modules/prompts/project-prompts.resolver.js';
import { PromptResolver } from '../modules/prompts/prompt.resolver.js';
import { ProviderKeyResolver } from '../modules/provider-keys/provider-key.resolver.js';
import { ChunkTextResolver } from '../modules/recognition/chunk-text.resolver.js';
import { DocumentSearchResolver } from '../modules/recognition/document-search.resolver.js';
import {
  ChunkRunResolver,
  DocumentRecognitionsResolver,
  ProjectRecognitionsResolver,
  RecognitionRelativesResolver,
} from '../modules/recognition/recognition-relatives.resolver.js';
import { RecognitionRunResolver } from '../modules/recognition/recognition-run.resolver.js';
import { ScenarioRunResolver } from '../modules/scenario-runs/scenario-run.resolver.js';
import { ScenarioRunSubscriptionResolver } from '../modules/scenario-runs/scenario-run.subscription.js';
import {
  ProjectScenarioRunsResolver,
  ScenarioRunRelativesResolver,
  ScenarioRunsResolver,
} from '../modules/scenario-runs/scenario-run-relatives.resolver.js';
import { MessageScenariosResolver } from '../modules/scenarios/message-scenarios.resolver.js';
import { ProjectScenariosResolver } from '../modules/scenarios/project-scenarios.resolver.js';
import { ScenarioResolver } from '../modules/scenarios/scenario.resolver.js';
import { ProjectVariablesResolver } from '../modules/variables/project-variables.resolver.js';
import { VariableResolver } from '../modules/variables/variable.resolver.js';
import { WebhookResolver } from '../modules/webhooks/webhook.resolver.js';
import { AgentApprovalResolver } from '../modules/workflow-runs/api/agent-approval.resolver.js';
import { ExecutionUpdateResolver } from '../modules/workflow-runs/api/execution-update.resolver.js';
import { GraphRunResolver } from '../modules/workflow-runs/api/graph-run.resolver.js';
import { RunFlagResolver } from '../modules/workflow-runs/api/run-flags.resolver.js';
import { WorkflowRunReceiptResolver, WorkflowRunResolver } from '../modules/workflow-runs/api/workflow-run.resolver.js';
import { WorkflowRunSubscriptionResolver } from '../modules/workflow-runs/api/workflow-run.subscription.js';
import { WorkflowRunBillingResolver } from '../modules/workflow-runs/api/workflow-run-billing.resolver.js';
import {
  ProjectRunsResolver,
  WorkflowHistoryResolver,
  WorkflowRunRelativesResolver,
} from '../modules/workflow-runs/api/workflow-run-relatives.resolver.js';
import { RunForkResolver } from '../modules/workflow-runs/history/run-fork.resolver.js';
import { McpToolsResolver } from '../modules/workflows/mcp-tools/mcp-tools.resolver.js';
import { ProjectWorkflowsResolver } from '../modules/workflows/project-workflows.resolver.js';
import { WorkflowResolver } from '../modules/workflows/workflow.resolver.js';
import { DateTime } from '../platform/json/scalars.js';
import { makeResolversPlain } from './plain-resolvers.js';

/** Every resolver of the product. A new resource adds its line here. */
export const RESOLVERS = [
  SessionResolver,
  UserResolver,
  ApiKeyResolver,
  MaintenanceResolver,
  ProjectResolver,
  ProjectBudgetResolver,
  OperatorLimitResolver,
  UserLimitResolver,
  ProjectLimitResolver,
  EarningsResolver,
  ProviderKeyResolver,
  ChatResolver,
  ApiKeyBudgetResolver,
  ApiKeySpendingResolver,
  InvitationResolver,
  MemberResolver,
  AuditLogResolver,
  CategoryResolver,
  SubcategoryResolver,
  KeywordResolver,
  KeywordRunResolver,
  KeywordRelativesResolver,
  KeywordRunRelativesResolver,
  ProjectKeywordsResolver,
  VariableResolver,
  ProjectVariablesResolver,
  PromptResolver,
  ProjectPromptsResolver,
  MessageResolver,
  ProjectMessagesResolver,
  PromptMessagesResolver,
  ScenarioResolver,
  ProjectScenariosResolver,
  MessageScenariosResolver,
  ScenarioRunResolver,
  ProjectScenarioRunsResolver,
  ScenarioRunRelativesResolver,
  ScenarioRunsResolver,
  ScenarioRunSubscriptionResolver,
  WebhookResolver,
  DocumentResolver,
  ProjectStorageResolver,
  ProjectDocumentsResolver,
  DocumentProjectResolver,
  RecognitionRunResolver,
  ChunkRunResolver,
  DocumentRecognitionsResolver,
  ProjectRecognitionsResolver,
  RecognitionRelativesResolver,
  ChunkTextResolver,
  DocumentSearchResolver,
  WorkflowResolver,
  ProjectWorkflowsResolver,
  McpToolsResolver,
  WorkflowRunResolver,
  ProjectRunsResolver,
  WorkflowHistoryResolver,
  WorkflowRunRelativesResolver,
  GraphRunResolver,
  WorkflowRunBillingResolver,
  WorkflowRunReceiptResolver,
  WorkflowRunSubscriptionResolver,
  AgentApprovalResolver,
  RunForkResolver,
  ExecutionUpdateResolver,
  RunFlagResolver,
  PublicationResolver,
  MarketplaceResolver,
  WorkflowGapsResolver,
  WorkflowTermsResolver,
  CatalogResolver,
  ProjectActivitySubscriptionResolver,
] as const;

/** Gives the instance of a resolver class, made by the composition root. */
export type ResolverSource = (resolver: (typeof RESOLVERS)[number]) => object;

/** Opens the stream of a subscription, by the name of its topic. */
export type Subscribe = (topic: string, request: { args: Record<string, unknown>; context: RequestContext }) => unknown;

export function buildScenariumSchema(instanceOf: ResolverSource, subscribe: Subscribe): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [...RESOLVERS] as unknown as NonEmptyArray<new () => object>,
    container: { get: resolver => instanceOf(resolver as (typeof RESOLVERS)[number]) },
    // Streams come from the resources' own sources, which read what changed; nothing is ever published through here.
    pubSub: {
      publish: () => {},
      subscribe: (topic: string, request: unknown) => subscribe(topic, request as Parameters<Subscribe>[1]) as never,
    },
    scalarsMap: [{ type: Date, scalar: DateTime }],
    // Input is checked by the services; class-validator would trip over JSON scalars.
    validate: false,
    // Whether the schema is sound is told by the first operation, and before by what writes schema.graphql.
    skipCheck: true,
  });
  makeResolversPlain(schema, resolver => instanceOf(resolver as (typeof RESOLVERS)[number]));
  return schema;
}
