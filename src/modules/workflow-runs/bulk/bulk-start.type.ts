import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';
import { WorkflowRunReceipt } from '../history/workflow-run.inputs.js';
import { WorkflowRunError } from '../history/workflow-run-attempt.type.js';

/** The most runs that one request starts. */
export const MAX_STARTS = 1_000;

@InputType({ description: 'One of several runs to start.' })
export class WorkflowRunStartInput {
  @Field(() => JSONValue, {
    nullable: true,
    description: 'Values by field id, for example `{"topic": "tea"}`. Default: `{}`.',
  })
  input?: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      'Idempotency key of 1-255 printable ASCII characters, as for `workflowRunStart`; unique within the request. Default: none.',
  })
  idempotencyKey?: string | null;
}

@ObjectType({ description: 'The outcome of one of several starts. Either `receipt` or `error` is set.' })
export class WorkflowRunStart {
  @Field(() => Int, { description: 'Position in the request, from 0.' })
  index!: number;

  @Field(() => String, { nullable: true, description: 'Idempotency key of the request. Null: none.' })
  idempotencyKey!: string | null;

  @Field(() => WorkflowRunReceipt, {
    nullable: true,
    description: 'The receipt, also of a refused run. Null: no run was recorded, `error` says why.',
  })
  receipt!: WorkflowRunReceipt | null;

  @Field(() => WorkflowRunError, {
    nullable: true,
    description:
      'Why no run was recorded: BAD_USER_INPUT, CONFLICT, RATE_LIMITED (the queue of the project is full) or UNAVAILABLE. Otherwise null.',
  })
  error!: WorkflowRunError | null;
}

@ObjectType({ description: 'The outcomes of several starts.' })
export class WorkflowRunStarts {
  @Field(() => Int, { description: 'Number of accepted runs, including earlier runs with the same idempotency keys.' })
  accepted!: number;

  @Field(() => Int, { description: 'Number of other items: refused runs and errors.' })
  refused!: number;

  @Field(() => [WorkflowRunStart], {
    description: 'One outcome for each item of the request, in its order; at most 1,000.',
  })
  items!: WorkflowRunStart[];
}
