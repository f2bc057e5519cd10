import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import { DateTime } from '../base/scalars.js';
import { ApiKeyResolver } from '../resources/accounts/api-key.resolver.js';
import type { RequestContext } from '../resources/accounts/request-context.js';
import { SessionResolver } from '../resources/accounts/session.resolver.js';
import { UserResolver } from '../resources/accounts/user.resolver.js';
import { ProjectActivitySubscriptionResolver } from '../resources/activity/project-activity.subscription.js';
import { ApiKeyBudgetResolver } from '../resources/billing/api-key-budget.resolver.js';
import { EarningsResolver } from '../resources/billing/earnings.resolver.js';
import {
  OperatorLimitResolver,
  ProjectLimitResolver,
  UserLimitResolver,
} from '../resources/billing/operator-limit.resolver.js';
import { ProjectBudgetResolver } from '../resources/billing/project-budget.resolver.js';
import { CatalogResolver } from '../resources/catalog/catalog.resolver.js';
import { CategoryResolver } from '../resources/categories/category.resolver.js';
import { SubcategoryResolver } from '../resources/categories/subcategory.resolver.js';
import { ApiKeySpendingResolver } from '../resources/chat/api-key-spending.resolver.js';
import { ChatResolver } from '../resources/chat/chat.resolver.js';
import { DocumentResolver } from '../resources/documents/document.resolver.js';
import {
  DocumentProjectResolver,
  ProjectDocumentsResolver,
} from '../resources/documents/document-relatives.resolver.js';
import { ProjectStorageResolver } from '../resources/documents/project-storage.resolver.js';
import { KeywordResolver } from '../resources/keywords/keyword.resolver.js';
import {
  KeywordRelativesResolver,
  KeywordRunRelativesResolver,
  ProjectKeywordsResolver,
} from '../resources/keywords/keyword-relatives.resolver.js';
import { KeywordRunResolver } from '../resources/keywords/keyword-run.resolver.js';
import { MaintenanceResolver } from '../resources/maintenance/maintenance.resolver.js';
import { MarketplaceResolver } from '../resources/marketplace/marketplace.resolver.js';
import { PublicationResolver } from '../resources/marketplace/publication.resolver.js';
import { WorkflowGapsResolver } from '../resources/marketplace/workflow-gaps.resolver.js';
import { WorkflowTermsResolver } from '../resources/marketplace/workflow-terms.resolver.js';
import { MessageResolver } from '../resources/messages/message.resolver.js';
import { ProjectMessagesResolver } from '../resources/messages/project-messages.resolver.js';
import { PromptMessagesResolver } from '../resources/messages/prompt-messages.resolver.js';
import { AuditLogResolver } from '../resources/projects/audit-log.resolver.js';
import { InvitationResolver } from '../resources/projects/invitation.resolver.js';
import { MemberResolver } from '../resources/projects/member.resolver.js';
import { ProjectResolver } from '../resources/projects/project.resolver.js';
import { ProjectPromptsResolver } from '../resources/prompts/project-prompts.resolver.js';
import { PromptResolver } from '../resources/prompts/prompt.resolver.js';
import { ProviderKeyResolver } from '../resources/provider-keys/provider-key.resolver.js';
import { ChunkTextResolver } from '../resources/recognition/chunk-text.resolver.js';
import { DocumentSearchResolver } from '../resources/recognition/document-search.resolver.js';
import {
  ChunkRunResolver,
  DocumentRecognitionsResolver,
  ProjectRecognitionsResolver,
  RecognitionRelativesResolver,
} from '../resources/recognition/recognition-relatives.resolver.js';
import { RecognitionRunResolver } from '../resources/recognition/recognition-run.resolver.js';
import { ScenarioRunResolver } from '../resources/scenario-runs/scenario-run.resolver.js';
import { ScenarioRunSubscriptionResolver } from '../resources/scenario-runs/scenario-run.subscription.js';
import {
  ProjectScenarioRunsResolver,
  ScenarioRunRelativesResolver,
  ScenarioRunsResolver,
} from '../resources/scenario-runs/scenario-run-relatives.resolver.js';
import { MessageScenariosResolver } from '../resources/scenarios/message-scenarios.resolver.js';
import { ProjectScenariosResolver } from '../resources/scenarios/project-scenarios.resolver.js';
import { ScenarioResolver } from '../resources/scenarios/scenario.resolver.js';
import { ProjectVariablesResolver } from '../resources/variables/project-variables.resolver.js';
import { VariableResolver } from '../resources/variables/variable.resolver.js';
import { WebhookResolver } from '../resources/webhooks/webhook.resolver.js';
import { AgentApprovalResolver } from '../resources/workflow-runs/agent-approval.resolver.js';
import { ExecutionUpdateResolver } from '../resources/workflow-runs/execution-update.resolver.js';
import { GraphRunResolver } from '../resources/workflow-runs/graph-run.resolver.js';
import { RunFlagResolver } from '../resources/workflow-runs/run-flags.resolver.js';
import { RunForkResolver } from '../resources/workflow-runs/run-fork.resolver.js';
import { WorkflowRunReceiptResolver, WorkflowRunResolver } from '../resources/workflow-runs/workflow-run.resolver.js';
import { WorkflowRunSubscriptionResolver } from '../resources/workflow-runs/workflow-run.subscription.js';
import { WorkflowRunBillingResolver } from '../resources/workflow-runs/workflow-run-billing.resolver.js';
import {
  ProjectRunsResolver,
  WorkflowHistoryResolver,
  WorkflowRunRelativesResolver,
} from '../resources/workflow-runs/workflow-run-relatives.resolver.js';
import { McpToolsResolver } from '../resources/workflows/mcp-tools.resolver.js';
import { ProjectWorkflowsResolver } from '../resources/workflows/project-workflows.resolver.js';
import { WorkflowResolver } from '../resources/workflows/workflow.resolver.js';
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
