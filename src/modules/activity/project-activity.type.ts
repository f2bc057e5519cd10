import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';

export enum ProjectActivityKind {
  WORKFLOW_RUN = 'workflow_run',
  SCENARIO_RUN = 'scenario_run',
  RECOGNITION_RUN = 'recognition_run',
  KEYWORD_RUN = 'keyword_run',
  AGENT_APPROVAL = 'agent_approval',
}
registerEnumType(ProjectActivityKind, {
  name: 'ProjectActivityKind',
  description: 'What has moved in a project.',
  valuesConfig: {
    WORKFLOW_RUN: { description: 'A run of a workflow.' },
    SCENARIO_RUN: { description: 'A run of a scenario.' },
    RECOGNITION_RUN: { description: 'A recognition run of a document.' },
    KEYWORD_RUN: { description: 'A keyword run.' },
    AGENT_APPROVAL: { description: 'A request of an agent for approval.' },
  },
});

export enum ProjectActivityState {
  QUEUED = 'queued',
  RUNNING = 'running',
  WAITING = 'waiting',
  SUCCEEDED = 'succeeded',
  FAILED = 'failed',
  CANCELLED = 'cancelled',
  PENDING = 'pending',
  APPROVED = 'approved',
  REJECTED = 'rejected',
  EXPIRED = 'expired',
}
registerEnumType(ProjectActivityState, {
  name: 'ProjectActivityState',
  description: 'How it stands. The first six are of runs of every kind, the last four of requests for approval.',
  valuesConfig: {
    QUEUED: { description: 'Waits for a worker.' },
    RUNNING: { description: 'A worker is at it.' },
    WAITING: { description: 'Waits for a time, an approval or a sub-run. Of runs of workflows alone.' },
    SUCCEEDED: { description: 'Has ended well. Final.' },
    FAILED: { description: 'Was refused, or has failed. Final.' },
    CANCELLED: { description: 'A user ended it. Final.' },
    PENDING: { description: 'Waits for a decision. Its run’s end is the end of it as well.' },
    APPROVED: { description: 'Somebody approved it. Final.' },
    REJECTED: { description: 'Somebody rejected it. Final.' },
    EXPIRED: { description: 'Nobody decided in time: the same as a rejection. Final.' },
  },
});

@ObjectType({ description: 'Something in a project that is under way, or has moved: how it stands now.' })
export class ProjectActivity {
  @Field(() => String, {
    description:
      'Where in the project’s activity this is: pass it as `after` to go on from here. At most 80 characters.',
  })
  cursor!: string;

  @Field(() => ProjectActivityKind, { description: 'What it is.' })
  kind!: ProjectActivityKind;

  @Field(() => String, {
    description:
      'Its id, unique within the kind: a UUID of a run of a workflow and of a request, else a number as text.',
  })
  id!: string;

  @Field(() => ProjectActivityState, { description: 'How it stands.' })
  state!: ProjectActivityState;

  @Field(() => DateTime, { description: 'When it last moved, by the database’s clock.' })
  at!: Date;

  @Field(() => String, {
    nullable: true,
    description:
      'For people: the title of the workflow or scenario, the document’s file name, the topic or address of a keyword run. Null where that is gone or never was.',
  })
  title!: string | null;

  @Field(() => Int, { nullable: true, description: 'The workflow that is run; null for other kinds, or without one.' })
  workflowId!: number | null;

  @Field(() => Int, { nullable: true, description: 'The scenario that is run; null for other kinds, or when deleted.' })
  scenarioId!: number | null;

  @Field(() => Int, { nullable: true, description: 'The document that is read; null for other kinds.' })
  documentId!: number | null;

  @Field(() => UUID, { nullable: true, description: 'Of a request for approval: the run that waits; null otherwise.' })
  runId!: string | null;
}
