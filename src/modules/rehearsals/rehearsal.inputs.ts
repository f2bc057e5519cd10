import { Field, InputType, Int, registerEnumType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';
import { RunFilter } from '../workflow-runs/history/run-filter.inputs.js';

/** Calls that a rehearsal makes only if they are allowed. */
export enum RehearsalAllowance {
  HTTP = 'http',
  MCP = 'mcp',
  DATABASE = 'database',
}
registerEnumType(RehearsalAllowance, {
  name: 'WorkflowRehearsalAllowance',
  description: 'Calls with effects outside that a rehearsal makes only if they are allowed.',
  valuesConfig: {
    HTTP: { description: 'HTTP requests with other methods than GET and HEAD, and GraphQL requests.' },
    MCP: { description: 'Tools of MCP servers.' },
    DATABASE: { description: 'Database statements.' },
  },
});

@InputType('WorkflowRehearsalRunsInput', {
  description: 'Which runs to rehearse: the newest executed ones that match, with results that have not expired.',
})
export class RehearsalRunsInput {
  @Field(() => Int, { nullable: true, description: 'Maximum number of runs, 1-500. Default 50.' })
  last?: number | null;

  @Field(() => RunFilter, { nullable: true, description: 'Filter for the runs. Default: all.' })
  filter?: RunFilter | null;
}

@InputType('WorkflowNodeChangeInput', {
  description: 'A change of one node. At least one of the other members is required.',
})
export class NodeChangeInput {
  @Field(() => String, {
    description: 'Id of the node. A recorded run whose revision does not have the node gets the outcome INCOMPLETE.',
  })
  nodeId!: string;

  @Field(() => String, { nullable: true, description: 'Name of another model.' })
  model?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Another text of the last message, or of `instructions` of a node without messages.',
  })
  prompt?: string | null;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Members of `data` of the node, each replaced as a whole. `model` and `prompt` are applied after them.',
  })
  settings?: unknown;
}
