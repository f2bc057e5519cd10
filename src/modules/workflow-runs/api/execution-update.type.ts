import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { DateTime, JSONValue } from '../../../platform/json/scalars.js';

export enum ExecutionStatus {
  QUEUED = 'in queue',
  RUNNING = 'in progress',
  SUCCEEDED = 'succeed',
  FAILED = 'failed',
}
registerEnumType(ExecutionStatus, {
  name: 'ExecutionStatus',
  description: 'Status that an external execution service reports for a run.',
  valuesConfig: {
    QUEUED: { description: 'Accepted, but not started.' },
    RUNNING: { description: 'Being executed.' },
    SUCCEEDED: { description: 'The run succeeded. Final.' },
    FAILED: { description: 'The run failed. Final.' },
  },
});

@InputType({ description: 'Progress report of an external execution service.' })
export class ExecutionUpdateInput {
  @Field(() => ExecutionStatus, { description: 'Status of the run.' })
  status!: ExecutionStatus;

  @Field(() => Int, {
    description:
      'Number of the update within the run, from 0. An update whose number is not above the last accepted one is ignored.',
  })
  sequence!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Entries by node id, in the form of a result: `{id, status, result: {content}}`, or `{id, status, error: {code, message}}`.',
  })
  data?: unknown;

  @Field(() => JSONValue, { nullable: true, description: 'Output of the run, when it has succeeded.' })
  output?: unknown;

  @Field(() => JSONValue, { nullable: true, description: 'Reason of the failure, as `{code, message}`.' })
  error?: unknown;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which execution started. Default: the time of the first update.',
  })
  startedAt?: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which execution ended. Default: the time of the update.',
  })
  finishedAt?: Date | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Billing transactions to add, at most 10000: `[{node_id, operation, status, amount: {"USD": "0.01"}, reason, description}]`. `status` is `Success` (default) or `Error`. Amounts in US dollars are decimal strings or numbers, 0 or more. Each node is charged once per operation.',
  })
  transactions?: unknown;
}
