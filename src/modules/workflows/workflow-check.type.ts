import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';

export enum WorkflowIssueSeverity {
  ERROR = 'error',
  WARNING = 'warning',
}
registerEnumType(WorkflowIssueSeverity, {
  name: 'WorkflowIssueSeverity',
  description: 'How serious an issue of a graph is.',
  valuesConfig: {
    ERROR: { description: 'Prevents a run.' },
    WARNING: { description: 'Does not prevent a run.' },
  },
});

@ObjectType({ description: 'An error or a warning about a graph.' })
export class WorkflowIssue {
  @Field(() => String, {
    description:
      'Machine-readable kind of the issue, for example `invalid_setting`. The set is open, because kinds of nodes add codes.',
  })
  code!: string;

  @Field(() => WorkflowIssueSeverity, { description: 'Whether the issue prevents a run.' })
  severity!: `${WorkflowIssueSeverity}`;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the affected node; null when the issue concerns no node.',
  })
  nodeId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the affected edge; null when the issue concerns no edge.',
  })
  edgeId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Path in the `data` of the node, for example `condition.operator`; null without one.',
  })
  path!: string | null;

  @Field(() => String, { description: 'Describes the problem and the permitted values. Contains no secret values.' })
  message!: string;
}

@ObjectType({ description: 'Validation result of a graph: the outcome that a run would have.' })
export class WorkflowCheck {
  @Field(() => Boolean, { description: 'Whether a run with valid input would be accepted.' })
  isValid!: boolean;

  @Field(() => Int, {
    description: 'Inner status: 200 valid, 422 a node is invalid, 400 the structure of the graph is invalid.',
  })
  status!: number;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Errors by node id, in the form in which the REST API rejects a run; null without errors. Prefer `issues`, which have the same errors with types.',
  })
  data!: unknown;

  @Field(() => [WorkflowIssue], { description: 'All errors and warnings. No more than the graph has faults.' })
  issues!: WorkflowIssue[];
}
