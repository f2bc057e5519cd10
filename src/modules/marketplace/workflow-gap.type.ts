import { Field, ObjectType, registerEnumType } from 'type-graphql';

export enum WorkflowGapKind {
  CREDENTIAL = 'credential',
  SECRET = 'secret',
  WORKFLOW = 'workflow',
  SCENARIO = 'scenario',
  DOCUMENT = 'document',
  USER = 'user',
  VARIABLE = 'variable',
  CONNECTION = 'connection',
}
registerEnumType(WorkflowGapKind, {
  name: 'WorkflowGapKind',
  description: 'The kind of a missing value in a copy.',
  valuesConfig: {
    CREDENTIAL: {
      description:
        'A credential, a key of the key-value store or the name of an event was removed and replaced with `<fill in>`.',
    },
    SECRET: { description: 'A secret input field without a default. Set a default or send a value with each run.' },
    WORKFLOW: {
      description:
        'A reference to a workflow that was removed or is not in the project. Choose a workflow of the project.',
    },
    SCENARIO: {
      description:
        'A reference to a scenario that was removed or is not in the project. Choose a scenario of the project.',
    },
    DOCUMENT: {
      description:
        'References to documents that were removed or are not in the project. Choose documents of the project. An empty list means all documents.',
    },
    USER: {
      description: 'References to users that were removed or are not members of the project. Choose members.',
    },
    CONNECTION: {
      description: 'A connection that was removed or is not in the project. Select a connection of the project.',
    },
    VARIABLE: {
      description:
        'A project variable that does not exist in the project: create it. Or a placeholder with a project variable to which `<fill in>` was added: delete that text to use the variable.',
    },
  },
});

@ObjectType({
  description: 'A missing value in a copy from the marketplace, which must be filled in before the copy works.',
})
export class WorkflowGap {
  @Field(() => String, {
    description: 'The id of the node. Empty for a value outside of nodes, such as an input field.',
  })
  nodeId!: string;

  @Field(() => String, {
    description:
      'The path within the `data` of the node, for example `headers.Authorization`. For an input field: the id of the field.',
  })
  path!: string;

  @Field(() => WorkflowGapKind, { description: 'The kind of the missing value.' })
  kind!: WorkflowGapKind;

  @Field(() => String, {
    nullable: true,
    description:
      'The name of the project variable. Null for other kinds, and for a placeholder that no longer contains the name.',
  })
  variable!: string | null;
}
