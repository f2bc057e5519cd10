// Made by npm run generate:examples from operations.graphql and schema.graphql.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type WorkflowRunChangeKind =
  | 'NODE_FAILED'
  | 'NODE_RETRYING'
  | 'NODE_SKIPPED'
  | 'NODE_STARTED'
  | 'NODE_STEP_STARTED'
  | 'NODE_STEP_SUCCEEDED'
  | 'NODE_SUCCEEDED'
  | 'NODE_WAITING'
  | 'RUN_CANCELLED'
  | 'RUN_FAILED'
  | 'RUN_SUCCEEDED'
  | 'SNAPSHOT';

export type WorkflowRunState =
  | 'CANCELLED'
  | 'DRAFT'
  | 'FAILED'
  | 'QUEUED'
  | 'RUNNING'
  | 'SUCCEEDED'
  | 'WAITING';

export type CreateProjectMutationVariables = Exact<{
  name: string;
}>;


export type CreateProjectMutation = { projectCreate: { project: { id: number } | null, errors: Array<
      | { message: string }
      | { message: string }
      | { message: string }
      | { message: string }
      | { message: string }
    > } | null };

export type CreateWorkflowMutationVariables = Exact<{
  project: number;
  title: string;
  data: unknown;
}>;


export type CreateWorkflowMutation = { workflowCreate: { workflow: { id: number } | null, errors: Array<
      | { message: string }
      | { message: string }
      | { message: string }
      | { message: string }
      | { message: string }
    > } | null };

export type StartRunMutationVariables = Exact<{
  workflow: number;
  input?: unknown;
}>;


export type StartRunMutation = { workflowRunStart: { receipt: { status: number, data: { runId: string, data: unknown, error: { code: string, message: string } | null } } | null, errors: Array<
      | { message: string }
      | { message: string }
      | { message: string }
      | { message: string }
      | { message: string }
    > } | null };

export type FollowRunSubscriptionVariables = Exact<{
  run: string;
}>;


export type FollowRunSubscription = { workflowRunChanged: { sequence: number, kind: WorkflowRunChangeKind, node: { nodeId: string, content: string | null } | null } };

export type RunsQueryVariables = Exact<{
  workflow: number;
}>;


export type RunsQuery = { workflowRuns: { items: Array<{ state: WorkflowRunState, cost: { usd: string } }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const CreateProjectDocument = new TypedDocumentString(`
    mutation CreateProject($name: String!) {
  projectCreate(input: {name: $name}) {
    project {
      id
    }
    errors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateProjectMutation, CreateProjectMutationVariables>;
export const CreateWorkflowDocument = new TypedDocumentString(`
    mutation CreateWorkflow($project: Int!, $title: String!, $data: JSON!) {
  workflowCreate(input: {projectId: $project, title: $title, data: $data}) {
    workflow {
      id
    }
    errors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateWorkflowMutation, CreateWorkflowMutationVariables>;
export const StartRunDocument = new TypedDocumentString(`
    mutation StartRun($workflow: Int!, $input: JSON) {
  workflowRunStart(workflowId: $workflow, input: $input) {
    receipt {
      status
      data {
        runId
        data
        error {
          code
          message
        }
      }
    }
    errors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<StartRunMutation, StartRunMutationVariables>;
export const FollowRunDocument = new TypedDocumentString(`
    subscription FollowRun($run: UUID!) {
  workflowRunChanged(id: $run, afterSequence: 0) {
    sequence
    kind
    node {
      nodeId
      content
    }
  }
}
    `) as unknown as TypedDocumentString<FollowRunSubscription, FollowRunSubscriptionVariables>;
export const RunsDocument = new TypedDocumentString(`
    query Runs($workflow: Int!) {
  workflowRuns(workflowId: $workflow) {
    items {
      state
      cost {
        usd
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RunsQuery, RunsQueryVariables>;
