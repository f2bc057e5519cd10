import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, JSONValue } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';

@ObjectType('WorkflowRevision', {
  description: 'A saved state of the graph of a workflow. It never changes, but for its name and note.',
})
export class SavedRevision {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Id of the workflow.' })
  workflowId!: number;

  @Field(() => Int, { description: 'Position in the history of the workflow, from 1. Numbers are never reused.' })
  number!: number;

  @Field(() => String, {
    description: 'Name, at most 255 characters. Empty: none. A revision with a name is never deleted by retention.',
  })
  name!: string;

  @Field(() => String, { description: 'Note of its author, at most 2,000 characters. Empty: none.' })
  note!: string;

  @Field(() => Int, { nullable: true, description: 'Id of the user who saved it. Null: unknown or deleted.' })
  userId!: number | null;

  @Field(() => String, { nullable: true, description: 'Name of the user who saved it. Null: unknown or deleted.' })
  userName!: string | null;

  @Field(() => Boolean, {
    description: 'Whether it is the revision that was saved last: the draft where the project uses drafts.',
  })
  isCurrent!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether new runs use it in a project with drafts. False for every revision where the project uses no drafts.',
  })
  isPublished!: boolean;

  @Field(() => DateTime, { description: 'When it was saved.' })
  createdAt!: Date;
}

@ObjectType({ description: 'One page of the revisions of a workflow.' })
export class WorkflowRevisionPage extends pageOf(SavedRevision) {}

@ObjectType({ description: 'A revision became the published one of its workflow.' })
export class WorkflowPublication {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { description: 'Number of the published revision.' })
  revisionNumber!: number;

  @Field(() => String, { description: 'Note of the user, at most 2,000 characters. Empty: none.' })
  note!: string;

  @Field(() => Int, { nullable: true, description: 'Id of the user who published it. Null: deleted.' })
  userId!: number | null;

  @Field(() => String, { nullable: true, description: 'Name of the user who published it. Null: deleted.' })
  userName!: string | null;

  @Field(() => DateTime, { description: 'When it was published.' })
  createdAt!: Date;
}

@ObjectType({ description: 'One page of the publications of a workflow.' })
export class WorkflowPublicationPage extends pageOf(WorkflowPublication) {}

export enum WorkflowChangeKind {
  ADDED = 'ADDED',
  REMOVED = 'REMOVED',
  CHANGED = 'CHANGED',
}
registerEnumType(WorkflowChangeKind, {
  name: 'WorkflowChangeKind',
  description: 'How a part of a graph differs between two revisions.',
  valuesConfig: {
    ADDED: { description: 'Only the second revision has it.' },
    REMOVED: { description: 'Only the first revision has it.' },
    CHANGED: { description: 'Both have it, with different contents.' },
  },
});

@ObjectType({ description: 'A setting with different values in two revisions.' })
export class WorkflowSettingChange {
  @Field(() => String, { description: 'Path of the setting, for example `data.messages.0.content`.' })
  path!: string;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Value in the first revision; secrets are masked. Null: it has none.',
  })
  before!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Value in the second revision; secrets are masked. Null: it has none.',
  })
  after!: unknown;
}

@ObjectType({ description: 'A node that differs between two revisions.' })
export class WorkflowNodeChange {
  @Field(() => String, { description: 'Id of the node in the graph.' })
  nodeId!: string;

  @Field(() => String, { description: 'Label of the node in the second revision, of a removed node in the first.' })
  label!: string;

  @Field(() => WorkflowChangeKind, { description: 'How it differs.' })
  change!: WorkflowChangeKind;

  @Field(() => Boolean, { description: 'Whether only its position on the canvas differs. Runs do not notice that.' })
  isMovedOnly!: boolean;

  @Field(() => [WorkflowSettingChange], {
    description: 'The settings that differ. No more than the node has. Empty for added and removed nodes.',
  })
  settings!: WorkflowSettingChange[];
}

@ObjectType({ description: 'An edge that only one of two revisions has.' })
export class WorkflowEdgeChange {
  @Field(() => WorkflowChangeKind, { description: '`ADDED` or `REMOVED`.' })
  change!: WorkflowChangeKind;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the node where the edge starts. Null: the draft has none.',
  })
  source!: string | null;

  @Field(() => String, { nullable: true, description: 'Output handle of the source. Null: the only one.' })
  sourceHandle!: string | null;

  @Field(() => String, { nullable: true, description: 'Id of the node where the edge ends. Null: the draft has none.' })
  target!: string | null;

  @Field(() => String, { nullable: true, description: 'Input handle of the target. Null: the only one.' })
  targetHandle!: string | null;
}

@ObjectType({
  description:
    'The differences between two revisions of a workflow. A changed secret is not visible, because both values are masked.',
})
export class WorkflowRevisionDiff {
  @Field(() => SavedRevision, { description: 'The first revision.' })
  left!: SavedRevision;

  @Field(() => SavedRevision, { description: 'The second revision.' })
  right!: SavedRevision;

  @Field(() => [WorkflowNodeChange], { description: 'The nodes that differ. No more than the two graphs have.' })
  nodes!: WorkflowNodeChange[];

  @Field(() => [WorkflowEdgeChange], { description: 'The edges that differ. No more than the two graphs have.' })
  edges!: WorkflowEdgeChange[];

  @Field(() => [WorkflowSettingChange], {
    description: 'Settings of the whole graph that differ. No more than the two graphs have.',
  })
  settings!: WorkflowSettingChange[];
}
