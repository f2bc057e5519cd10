import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { WAIT_CONDITIONS } from '../../engine/workflow/run/run-event.js';
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
  description: 'The kind of an activity.',
  valuesConfig: {
    WORKFLOW_RUN: { description: 'A workflow run.' },
    SCENARIO_RUN: { description: 'A scenario run.' },
    RECOGNITION_RUN: { description: 'A recognition run of a document.' },
    KEYWORD_RUN: { description: 'A keyword run.' },
    AGENT_APPROVAL: { description: 'An approval request of an agent.' },
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
  description:
    'The state of an activity. Runs have one of the first six states, approval requests one of the last four.',
  valuesConfig: {
    QUEUED: { description: 'The run waits for a worker.' },
    RUNNING: { description: 'A worker executes the run.' },
    WAITING: { description: `The run waits for ${WAIT_CONDITIONS}. Only workflow runs have this state.` },
    SUCCEEDED: { description: 'The run has succeeded. Final.' },
    FAILED: { description: 'The run was refused or has failed. Final.' },
    CANCELLED: { description: 'A user has cancelled the run. Final.' },
    PENDING: { description: 'The request waits for a decision. It also ends when its run ends.' },
    APPROVED: { description: 'A user has approved the request. Final.' },
    REJECTED: { description: 'A user has rejected the request. Final.' },
    EXPIRED: { description: 'The request expired without a decision, which counts as a rejection. Final.' },
  },
});

@ObjectType({ description: 'The current state of a run or an approval request in a project.' })
export class ProjectActivity {
  @Field(() => String, {
    description:
      'The position in the activity of the project. Pass it as `after` to continue from here. At most 80 characters.',
  })
  cursor!: string;

  @Field(() => ProjectActivityKind, { description: 'The kind of the activity.' })
  kind!: ProjectActivityKind;

  @Field(() => String, {
    name: 'subjectId',
    description:
      'The id, unique within the kind: a UUID for workflow runs and approval requests, otherwise a number as text.',
  })
  id!: string;

  @Field(() => ProjectActivityState, { description: 'The current state.' })
  state!: ProjectActivityState;

  @Field(() => DateTime, { description: 'When the state last changed, by the clock of the database.' })
  at!: Date;

  @Field(() => String, {
    nullable: true,
    description:
      'A readable title: the title of the workflow or scenario, the file name of the document, or the topic or URL of the keyword run. Null if it does not exist.',
  })
  title!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the workflow of the run. Null for other kinds, or if there is none.',
  })
  workflowId!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the scenario of the run. Null for other kinds, or if it was deleted.',
  })
  scenarioId!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The id of the document of the recognition run. Null for other kinds.',
  })
  documentId!: number | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'For an approval request: the id of the waiting run. Null otherwise.',
  })
  runId!: string | null;
}
