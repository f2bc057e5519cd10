import { Field, InputType, Int } from 'type-graphql';
import { DateTime, JSONValue } from '../../../platform/json/scalars.js';

@InputType({ description: 'What an execution service of your own reports of a run.' })
export class ExecutionUpdateInput {
  @Field(() => String, { description: '`in queue`, `in progress`, `succeed` or `failed`.' })
  status!: string;

  @Field(() => Int, {
    description: 'Counts the updates of the run, from 0. One that is not above the last one taken is ignored.',
  })
  sequence!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Entries by node id, as in a result: `{id, status, result: {content}}`, or `{id, status, error: {code, message}}`.',
  })
  data?: unknown;

  @Field(() => JSONValue, { nullable: true, description: 'The output of the run, once it has succeeded.' })
  output?: unknown;

  @Field(() => JSONValue, { nullable: true, description: 'Why the run failed: `{code, message}`.' })
  error?: unknown;

  @Field(() => DateTime, { nullable: true, description: 'When the execution began.' })
  startedAt?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When the execution ended.' })
  finishedAt?: Date | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Billing transactions to add: `[{node_id, operation, status, amount: {"USD": "0.01"}, reason, description}]`. `status` is `Success` (default) or `Error`; amounts are decimal texts or numbers, 0 or more. Each node is charged once for each operation.',
  })
  transactions?: unknown;
}
