import { Field, Float, InputType, ObjectType } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'Position of a node on the canvas of an editor.' })
@InputType('WorkflowNodePositionInput', { description: 'Position of a node on the canvas of an editor.' })
export class WorkflowNodePosition {
  @Field(() => Float, { description: 'Horizontal position in pixels, to the right.' })
  x!: number;

  @Field(() => Float, { description: 'Vertical position in pixels, downwards.' })
  y!: number;
}

@ObjectType({ description: 'A node of a graph.' })
export class WorkflowGraphNode {
  @Field(() => String, { description: 'Id of the node, unique within the graph.' })
  nodeId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Kind of the node, for example `http-node`. Null in a draft without one.',
  })
  type!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the kind in REST, for example `HTTPNodeInput`. Null for an unknown kind.',
  })
  nodeType!: string | null;

  @Field(() => String, { description: 'Label of the node; the title of its kind when it has none.' })
  label!: string;

  @Field(() => WorkflowNodePosition, { nullable: true, description: 'Position on the canvas. Null without one.' })
  position!: WorkflowNodePosition | null;

  @Field(() => JSONValue, {
    description: 'Settings of the node: its member `data`, an object described by the schema of its kind.',
  })
  settings!: Record<string, unknown>;
}

@ObjectType({ description: 'An edge of a graph.' })
export class WorkflowGraphEdge {
  @Field(() => String, { nullable: true, description: 'Id of the edge. Null without one.' })
  edgeId!: string | null;

  @Field(() => String, { nullable: true, description: 'Id of the node where the edge begins. Null in a draft.' })
  source!: string | null;

  @Field(() => String, { nullable: true, description: 'Output of that node. Null for its only output.' })
  sourceHandle!: string | null;

  @Field(() => String, { nullable: true, description: 'Id of the node where the edge ends. Null in a draft.' })
  target!: string | null;

  @Field(() => String, { nullable: true, description: 'Input of that node, which the service does not use.' })
  targetHandle!: string | null;
}

@ObjectType({ description: 'A graph with typed nodes and edges. `data` has its other members too.' })
export class WorkflowGraph {
  @Field(() => [WorkflowGraphNode], { description: 'The nodes. No more than the graph has.' })
  nodes!: WorkflowGraphNode[];

  @Field(() => [WorkflowGraphEdge], { description: 'The edges. No more than the graph has.' })
  edges!: WorkflowGraphEdge[];

  @Field(() => String, {
    nullable: true,
    description: 'Id of the first node. Null when it is the only trigger of the graph.',
  })
  startNodeId!: string | null;
}

@InputType({ description: 'A node of a graph. Members that this type does not have keep their stored values.' })
export class WorkflowGraphNodeInput {
  @Field(() => String, { description: 'Id of the node, unique within the graph.' })
  nodeId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Kind of the node, for example `http-node`. Default: unchanged.',
  })
  type?: string | null;

  @Field(() => String, { nullable: true, description: 'Label of the node. Default: that in `settings`.' })
  label?: string | null;

  @Field(() => WorkflowNodePosition, { nullable: true, description: 'Position on the canvas. Default: unchanged.' })
  position?: WorkflowNodePosition | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'All settings of the node: its member `data`, an object. `********` as `default_value` of a secret field keeps the stored value. Default: unchanged.',
  })
  settings?: unknown;
}

@InputType({ description: 'An edge of a graph. Members that this type does not have keep their stored values.' })
export class WorkflowGraphEdgeInput {
  @Field(() => String, { nullable: true, description: 'Id of the edge. Default: none.' })
  edgeId?: string | null;

  @Field(() => String, { description: 'Id of the node where the edge begins.' })
  source!: string;

  @Field(() => String, { nullable: true, description: 'Output of that node. Null for its only output.' })
  sourceHandle?: string | null;

  @Field(() => String, { description: 'Id of the node where the edge ends.' })
  target!: string;

  @Field(() => String, { nullable: true, description: 'Input of that node, which the service does not use.' })
  targetHandle?: string | null;
}

@InputType({
  description:
    'A whole graph. Stored nodes and edges that it does not contain are deleted; other members of the graph are kept.',
})
export class WorkflowGraphInput {
  @Field(() => [WorkflowGraphNodeInput], { description: 'All nodes. No more than fit into a request.' })
  nodes!: WorkflowGraphNodeInput[];

  @Field(() => [WorkflowGraphEdgeInput], {
    nullable: true,
    description: 'All edges. No more than fit into a request. Default: none.',
  })
  edges?: WorkflowGraphEdgeInput[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the first node. Null removes it. Default: unchanged.',
  })
  startNodeId?: string | null;
}
