import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { DeadLetterKindName } from '../dead-letters/dead-letter.type.js';

export enum ServiceRole {
  ALL = 'all',
  API = 'api',
  WORKER = 'worker',
}
registerEnumType(ServiceRole, {
  name: 'ServiceRole',
  description: 'The role of a process of the service, from the variable `ROLE`.',
  valuesConfig: {
    ALL: { description: 'Responds to requests and executes runs.' },
    API: { description: 'Responds to requests.' },
    WORKER: { description: 'Executes runs.' },
  },
});

@ObjectType({ description: 'The unfinished work of one kind, over all processes.' })
export class ServiceQueue {
  @Field(() => DeadLetterKindName, { description: 'The kind of work.' })
  kind!: `${DeadLetterKindName}`;

  @Field(() => Int, {
    description: 'The number of items that wait for a worker. Larger numbers are reported as 100000.',
  })
  queued!: number;

  @Field(() => Int, {
    description:
      'The number of items that a worker executes. 0 for webhook deliveries. Larger numbers are reported as 100000.',
  })
  running!: number;

  @Field(() => Int, {
    description:
      'The number of items that wait for something else: a workflow run for an approval or a time, a webhook delivery for its next attempt. Larger numbers are reported as 100000.',
  })
  waiting!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'The age of the oldest queued item in seconds. Null when none is queued.',
  })
  oldestQueuedSeconds!: number | null;

  @Field(() => Int, { description: 'The number of dead letters of this kind. See `runsDeadLettered`.' })
  deadLetters!: number;
}

@ObjectType({ description: 'The state of the service.' })
export class ServiceHealth {
  @Field(() => String, { description: 'The version of the service, for example `1.4.0`.' })
  version!: string;

  @Field(() => ServiceRole, { description: 'The role of the process that responds.' })
  role!: `${ServiceRole}`;

  @Field(() => DateTime, { description: 'When the process that responds was started.' })
  startedAt!: Date;

  @Field(() => Boolean, { description: 'Whether the database accepts writes. False for a database in recovery.' })
  isDatabaseWritable!: boolean;

  @Field(() => [ServiceQueue], { description: 'The unfinished work, one item for each kind of work. At most 5.' })
  queues!: ServiceQueue[];
}
