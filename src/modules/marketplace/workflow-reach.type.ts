import { Field, ObjectType, registerEnumType } from 'type-graphql';

export enum WorkflowReachKind {
  HOST = 'host',
  MODEL = 'model',
  TOOL = 'tool',
}
registerEnumType(WorkflowReachKind, {
  name: 'WorkflowReachKind',
  description: 'The kind of an external resource that a node uses.',
  valuesConfig: {
    HOST: { description: 'A host to which the node sends requests.' },
    MODEL: { description: 'A language model that the node calls.' },
    TOOL: { description: 'A tool that the node or its model can call.' },
  },
});

@ObjectType({ description: 'An external resource that a node uses.' })
export class WorkflowReach {
  @Field(() => String, { description: 'The id of the node.' })
  nodeId!: string;

  @Field(() => String, {
    description: 'The path within the `data` of the node, for example `tools.0.request.url`.',
  })
  path!: string;

  @Field(() => WorkflowReachKind, { description: 'The kind of the resource.' })
  kind!: WorkflowReachKind;

  @Field(() => String, {
    description:
      'The host with its port, the model (`provider/model` if a provider is named), or the name of the tool (`*` means all tools of the server). A value with a placeholder is returned as written. At most 255 characters.',
  })
  value!: string;
}
