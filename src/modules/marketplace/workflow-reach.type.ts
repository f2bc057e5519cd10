import { Field, ObjectType, registerEnumType } from 'type-graphql';

export enum WorkflowReachKind {
  HOST = 'host',
  MODEL = 'model',
  TOOL = 'tool',
}
registerEnumType(WorkflowReachKind, {
  name: 'WorkflowReachKind',
  description: 'What a node uses outside its graph.',
  valuesConfig: {
    HOST: { description: 'A host that it sends requests to.' },
    MODEL: { description: 'A language model that it asks.' },
    TOOL: { description: 'A tool that it calls, or that its model may call.' },
  },
});

@ObjectType({ description: 'Something outside its graph that a node uses.' })
export class WorkflowReach {
  @Field(() => String, { description: 'The node’s id.' })
  nodeId!: string;

  @Field(() => String, {
    description: 'Where it is written, from the node’s `data` on, such as `tools.0.request.url`.',
  })
  path!: string;

  @Field(() => WorkflowReachKind, { description: 'What it is.' })
  kind!: WorkflowReachKind;

  @Field(() => String, {
    description:
      'The host with its port, the model (`provider/model` where a provider is named), or the name of the tool (`*`: all of the server); as it is written where a placeholder decides it. At most 255 characters.',
  })
  value!: string;
}
