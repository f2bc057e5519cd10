import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, JSONValue, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { Money } from '../../platform/money/money.type.js';

export enum RehearsalKind {
  PUBLISH_CHECK = 'publish_check',
  WHAT_IF = 'what_if',
  BISECT = 'bisect',
}
registerEnumType(RehearsalKind, {
  name: 'WorkflowRehearsalKind',
  description: 'The purpose of a rehearsal.',
  valuesConfig: {
    PUBLISH_CHECK: { description: 'Compares recorded runs with a revision (`workflowPublishCheck`).' },
    WHAT_IF: { description: 'Compares recorded runs with a changed node (`workflowWhatIf`).' },
    BISECT: { description: 'Finds the change between a good and a bad run (`workflowBisect`).' },
  },
});

export enum RehearsalState {
  QUEUED = 'queued',
  RUNNING = 'running',
  SUCCEEDED = 'succeeded',
  FAILED = 'failed',
  CANCELLED = 'cancelled',
}
registerEnumType(RehearsalState, {
  name: 'WorkflowRehearsalState',
  description: 'State of a rehearsal. SUCCEEDED, FAILED and CANCELLED are final.',
  valuesConfig: {
    QUEUED: { description: 'Waiting for a worker.' },
    RUNNING: { description: 'Being executed by a worker.' },
    SUCCEEDED: { description: 'Executed to its end; `verdict` or `finding` has the result.' },
    FAILED: { description: 'Not executed to its end; `error` gives the reason.' },
    CANCELLED: { description: 'Cancelled by a user.' },
  },
});

export enum RehearsalVerdict {
  UNCHANGED = 'unchanged',
  CHANGED = 'changed',
  FAILED = 'failed',
  INCOMPLETE = 'incomplete',
}
registerEnumType(RehearsalVerdict, {
  name: 'WorkflowRehearsalVerdict',
  description: 'Overall result of a rehearsal: that of its worst run.',
  valuesConfig: {
    UNCHANGED: { description: 'All runs end as recorded.' },
    CHANGED: { description: 'Some runs have other outputs or errors, and none fails that succeeded.' },
    FAILED: { description: 'A run that succeeded fails.' },
    INCOMPLETE: { description: 'A run could not be rehearsed to its end, and none fails that succeeded.' },
  },
});

export enum RehearsedRunOutcome {
  UNCHANGED = 'unchanged',
  CHANGED = 'changed',
  FIXED = 'fixed',
  FAILED = 'failed',
  INCOMPLETE = 'incomplete',
}
registerEnumType(RehearsedRunOutcome, {
  name: 'WorkflowRehearsedRunOutcome',
  description: 'How the rehearsal of a run ended, compared with its record.',
  valuesConfig: {
    UNCHANGED: { description: 'Same output, or same error.' },
    CHANGED: { description: 'Another output, or another error.' },
    FIXED: { description: 'The run failed; its rehearsal succeeds.' },
    FAILED: { description: 'The run succeeded; its rehearsal fails.' },
    INCOMPLETE: {
      description:
        'Stopped before a call that is held back, by the budget, or because the results of the run have expired.',
    },
  },
});

@ObjectType('WorkflowRehearsalChange', { description: 'A node whose result differs from the recorded one.' })
export class RehearsalChange {
  @Field(() => String, { description: 'Id of the node.' })
  nodeId!: string;

  @Field(() => String, { description: 'Label of the node.' })
  label!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Recorded content or error, cut at 2,000 characters. Null: the node was not executed.',
  })
  before!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Content or error in the rehearsal, cut at 2,000 characters. Null: the node is not executed.',
  })
  after!: string | null;
}

/** Stored with a run of a rehearsal. Secrets are masked. */
export interface RunReport {
  changes: RehearsalChange[];
  outputBefore: unknown;
  outputAfter: unknown;
  errorBefore: string | null;
  errorAfter: string | null;
  costBeforeUsd: string;
  costAfterUsd: string;
  durationBeforeMs: number;
  durationAfterMs: number;
  executedCount: number;
  reusedCount: number;
  assumedNodeIds: string[];
  heldNodeIds: string[];
  /** Only in a bisection: whether the end equals that of the bad run. */
  isBad?: boolean;
}

@ObjectType('WorkflowRehearsedRun', {
  description: 'A recorded run in a rehearsal. All members except the ids are null until it has ended.',
})
export class RehearsedRun {
  @Field(() => UUID, { description: 'Unique id. The ledger rows of the calls of the rehearsal have it as `runId`.' })
  id!: string;

  @Field(() => UUID, { description: 'Id of the recorded run.' })
  runId!: string;

  @Field(() => Int, { nullable: true, description: 'Number of the revision that was rehearsed.' })
  revisionNumber!: number | null;

  @Field(() => RehearsedRunOutcome, { nullable: true, description: 'The outcome.' })
  outcome!: RehearsedRunOutcome | null;

  @Field(() => RehearsalChange, {
    nullable: true,
    description: 'The first node in the order of the graph whose result differs. Null: none.',
  })
  firstChange!: RehearsalChange | null;

  @Field(() => [RehearsalChange], { description: 'The first top-level nodes whose results differ, at most 20.' })
  changes!: RehearsalChange[];

  @Field(() => JSONValue, { nullable: true, description: 'Recorded output.' })
  outputBefore!: unknown;

  @Field(() => JSONValue, { nullable: true, description: 'Output of the rehearsal.' })
  outputAfter!: unknown;

  @Field(() => String, { nullable: true, description: 'Recorded error. Null: the run succeeded.' })
  errorBefore!: string | null;

  @Field(() => String, { nullable: true, description: 'Error of the rehearsal. Null: it succeeded.' })
  errorAfter!: string | null;

  @Field(() => Money, { nullable: true, description: 'Cost of the recorded run with its sub-runs, from the ledger.' })
  costBefore!: Money | null;

  @Field(() => Money, {
    nullable: true,
    description: 'Cost that the run would have: recorded for reused calls, charged for executed ones.',
  })
  costAfter!: Money | null;

  @Field(() => Int, { nullable: true, description: 'Recorded duration in milliseconds.' })
  durationBeforeMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Recorded duration with that of the executed calls in place of the recorded ones, in milliseconds.',
  })
  durationAfterMs!: number | null;

  @Field(() => Int, { description: 'Number of calls that the rehearsal made.' })
  executedCount!: number;

  @Field(() => Int, {
    description: 'Number of calls whose recorded answer was taken because the request is unchanged.',
  })
  reusedCount!: number;

  @Field(() => [String], {
    description:
      'Ids of nodes whose changed calls were held back and whose recorded answer was assumed. No more than the graph has.',
  })
  assumedNodeIds!: string[];

  @Field(() => [String], {
    description: 'Ids of nodes whose calls were held back without a recorded answer. No more than the graph has.',
  })
  heldNodeIds!: string[];

  @Field(() => Boolean, {
    nullable: true,
    description: 'In a bisection: whether the end equals that of the bad run. Null otherwise.',
  })
  isBad!: boolean | null;
}

@ObjectType('WorkflowRehearsedRunPage', { description: 'One page of runs of a rehearsal.' })
export class RehearsedRunPage extends pageOf(RehearsedRun) {}

export enum BisectCause {
  REVISION = 'revision',
  INPUT = 'input',
  ANSWER = 'answer',
  MODEL = 'model',
  TOOL_PINS = 'tool_pins',
  UNKNOWN = 'unknown',
}
registerEnumType(BisectCause, {
  name: 'WorkflowBisectCause',
  description: 'The kind of the change that flipped a result.',
  valuesConfig: {
    REVISION: { description: 'A revision of the workflow.' },
    INPUT: { description: 'The input or the project variables of the run.' },
    ANSWER: { description: 'Another answer to the same request.' },
    MODEL: {
      description:
        'Another model for the same request, for example because the default model of the service has changed.',
    },
    TOOL_PINS: { description: 'A tool of an MCP server whose schema has changed since it was recorded.' },
    UNKNOWN: { description: 'None of the changes that can be replayed.' },
  },
});

@ObjectType('WorkflowBisectFinding', { description: 'The change that flipped a result.' })
export class BisectFinding {
  @Field(() => BisectCause, { description: 'Kind of the change.' })
  cause!: BisectCause;

  @Field(() => Int, { nullable: true, description: 'Number of the first revision with the bad result.' })
  revisionNumber!: number | null;

  @Field(() => Int, { nullable: true, description: 'Number of the last revision with the good result.' })
  previousNumber!: number | null;

  @Field(() => String, { nullable: true, description: 'For MODEL: the model of the good run. Null otherwise.' })
  modelBefore!: string | null;

  @Field(() => String, { nullable: true, description: 'For MODEL: the model of the bad run. Null otherwise.' })
  modelAfter!: string | null;

  @Field(() => [String], {
    description: 'Ids of the nodes that the change concerns. No more than the graphs have.',
  })
  nodeIds!: string[];

  @Field(() => Int, { description: 'Number of changes between the two runs.' })
  changesCount!: number;

  @Field(() => Int, { description: 'Number of replays that the search needed.' })
  replaysCount!: number;
}

@ObjectType('WorkflowRehearsal', {
  description:
    'Recorded runs that are executed again with another graph. Unchanged requests take their recorded answers. It is not a run: histories, statistics, webhooks, triggers and error workflows do not see it.',
})
export class Rehearsal {
  @Field(() => UUID, { description: 'Unique id.' })
  id!: string;

  @Field(() => Int, { description: 'Id of the workflow.' })
  workflowId!: number;

  @Field(() => RehearsalKind, { description: 'The purpose.' })
  kind!: RehearsalKind;

  @Field(() => RehearsalState, { description: 'Current state.' })
  state!: RehearsalState;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of the revision that a publish check rehearses. Null for other kinds.',
  })
  revisionNumber!: number | null;

  @Field(() => RehearsalVerdict, { nullable: true, description: 'Overall result. Null until the end.' })
  verdict!: RehearsalVerdict | null;

  @Field(() => BisectFinding, { nullable: true, description: 'Result of a bisection. Null until its end.' })
  finding!: BisectFinding | null;

  @Field(() => String, { nullable: true, description: 'Why the rehearsal failed. Null otherwise.' })
  error!: string | null;

  @Field(() => Int, { description: 'Number of runs to rehearse; for a bisection the replays so far.' })
  runsCount!: number;

  @Field(() => Int, { description: 'Number of runs that have ended.' })
  endedCount!: number;

  budgetUsd!: string;
  spentUsd!: string;

  @Field(() => DateTime, { description: 'When it was started.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it ended. Null until then.' })
  finishedAt!: Date | null;
}

@ObjectType('WorkflowRehearsalPage', { description: 'One page of rehearsals.' })
export class RehearsalPage extends pageOf(Rehearsal) {}

/** The notification topic of the changes of a rehearsal. */
export function rehearsalTopic(id: string): string {
  return `rehearsal:${id}`;
}

/** The notification topic of the cancellation of a rehearsal. */
export function rehearsalCancelTopic(id: string): string {
  return `cancel-rehearsal:${id}`;
}

export function hasEnded({ state }: Pick<Rehearsal, 'state'>): boolean {
  return state !== RehearsalState.QUEUED && state !== RehearsalState.RUNNING;
}
