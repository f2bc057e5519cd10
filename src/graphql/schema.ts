import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import { DateTime } from '../base/scalars.js';
import type { RequestContext } from '../resources/accounts/request-context.js';
import { DocumentResolver } from '../resources/documents/document.resolver.js';
import { ProjectResolver } from '../resources/projects/project.resolver.js';
import { DocumentSearchResolver } from '../resources/recognition/document-search.resolver.js';
import { RecognitionRunResolver } from '../resources/recognition/recognition-run.resolver.js';
import { AgentApprovalResolver } from '../resources/workflow-runs/agent-approval.resolver.js';
import { GraphRunResolver } from '../resources/workflow-runs/graph-run.resolver.js';
import { WorkflowRunReceiptResolver, WorkflowRunResolver } from '../resources/workflow-runs/workflow-run.resolver.js';
import { WorkflowRunSubscriptionResolver } from '../resources/workflow-runs/workflow-run.subscription.js';
import { WorkflowRunBillingResolver } from '../resources/workflow-runs/workflow-run-billing.resolver.js';
import { McpToolsResolver } from '../resources/workflows/mcp-tools.resolver.js';
import { WorkflowResolver } from '../resources/workflows/workflow.resolver.js';

/** Every resolver of the product. A new resource adds its line here. */
export const RESOLVERS = [
  ProjectResolver,
  DocumentResolver,
  RecognitionRunResolver,
  DocumentSearchResolver,
  WorkflowResolver,
  McpToolsResolver,
  WorkflowRunResolver,
  GraphRunResolver,
  WorkflowRunBillingResolver,
  WorkflowRunReceiptResolver,
  WorkflowRunSubscriptionResolver,
  AgentApprovalResolver,
] as const;

/** Gives the instance of a resolver class, made by the composition root. */
export type ResolverSource = (resolver: (typeof RESOLVERS)[number]) => object;

/** Opens the stream of a subscription, by the name of its topic. */
export type Subscribe = (topic: string, request: { args: Record<string, unknown>; context: RequestContext }) => unknown;

export function buildScenariumSchema(instanceOf: ResolverSource, subscribe: Subscribe): GraphQLSchema {
  return buildSchemaSync({
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
  });
}
