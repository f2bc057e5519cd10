import { Field, ObjectType, registerEnumType } from 'type-graphql';

export enum WorkflowGapKind {
  CREDENTIAL = 'credential',
  SECRET = 'secret',
  WORKFLOW = 'workflow',
  SCENARIO = 'scenario',
  DOCUMENT = 'document',
}
registerEnumType(WorkflowGapKind, {
  name: 'WorkflowGapKind',
  description: 'What a copy lacks.',
  valuesConfig: {
    CREDENTIAL: { description: 'A credential was written here: `<fill in>` stands in its place.' },
    SECRET: { description: 'A secret input field without a default: it needs one, or a value with each run.' },
    WORKFLOW: { description: 'A workflow of the project to choose: it was cleared, or the project does not have it.' },
    SCENARIO: { description: 'A scenario of the project to choose: it was cleared, or the project does not have it.' },
    DOCUMENT: {
      description:
        'Documents of the project to choose: they were cleared, or the project does not have one. An empty list stands for all.',
    },
  },
});

@ObjectType({ description: 'Something that a copy from the marketplace needs before it works.' })
export class WorkflowGap {
  @Field(() => String, { description: 'The node’s id.' })
  nodeId!: string;

  @Field(() => String, {
    description: 'Where, from the node’s `data` on, such as `headers.Authorization`; of an input field its id.',
  })
  path!: string;

  @Field(() => WorkflowGapKind, { description: 'What is missing.' })
  kind!: WorkflowGapKind;
}
