import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { WorkflowRun } from './workflow-run.js';

export enum WorkflowRunOrder {
  CREATED_AT_ASC = 'created_at',
  CREATED_AT_DESC = '-created_at',
  COST_ASC = 'cost',
  COST_DESC = '-cost',
}
registerEnumType(WorkflowRunOrder, {
  name: 'WorkflowRunOrder',
  description: 'Order of a list of runs.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    COST_ASC: { description: 'Cheapest first.' },
    COST_DESC: { description: 'Most expensive first.' },
  },
});

@ObjectType({ description: 'One page of runs.' })
export class WorkflowRunPage extends pageOf(WorkflowRun) {}

@ObjectType({ description: 'Status and result of a run.' })
export class WorkflowRunResult {
  @Field(() => UUID, { description: 'Id of the run.' })
  id!: string;

  @Field(() => String, {
    description:
      'Status: `in queue`, `in progress`, `succeed`, `failed` or `not found` (the run exists but has no result, because it is a draft or the result has expired). Only `succeed` and `failed` are final.',
  })
  status!: string;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Entries by node id: `{id, status, result: {content}}`, or `{id, status, error}` for a failed node. Entries of nodes that used a model also have `usage {prompt_tokens, completion_tokens, total_tokens, cost_usd}`. Skipped nodes have no entry. For a refused run the entries are `{id, status, result: [{path: message}]}`.',
  })
  data!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Content of the output node. When several output nodes were executed, an object by node id; when none was, null.',
  })
  output!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Reason why the run was refused or failed, as `{code, message}`. Otherwise null.',
  })
  error!: unknown;
}

@ObjectType({ description: 'Response to a request for the result of a run.' })
export class WorkflowRunDelivery {
  @Field(() => Int, { description: 'Inner status: 200.' })
  status!: number;

  @Field(() => WorkflowRunResult, { description: 'Current status and result of the run.' })
  data!: WorkflowRunResult;
}

@ObjectType({ description: 'Response to the start of a run.' })
export class WorkflowRunReceipt {
  @Field(() => Int, {
    description:
      'Inner status: 201 accepted, 422 a node is invalid, 400 the graph or the input is malformed, 402 the spending limit of the project is reached.',
  })
  status!: number;

  @Field(() => WorkflowRunResult, { description: 'Initial status of the run. A refused run also has an id.' })
  data!: WorkflowRunResult;

  /** Used by the field resolver `run`. */
  runId!: string;
}
