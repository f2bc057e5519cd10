import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({
  description:
    'A further environment of a project, such as `staging`. Runs of it use its values of variables, otherwise those of `production`, the default environment.',
})
export class ProjectEnvironment {
  @Field(() => Int, { description: 'The id of the environment. Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The name, unique in the project.' })
  name!: string;

  @Field(() => DateTime, { description: 'When the environment was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'The value of a project variable in an environment.' })
export class ProjectVariableValue {
  @Field(() => Int, { description: 'The id of the value. Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The id of the environment: `ProjectEnvironment.id`.' })
  environmentId!: number;

  @Field(() => String, { description: 'The name of the environment.' })
  environment!: string;

  @Field(() => String, { description: 'The value; `********` for a secret.' })
  value!: string;

  @Field(() => DateTime, { description: 'When the value was last changed.' })
  updatedAt!: Date;
}

@InputType({ description: 'A new environment of a project.' })
export class ProjectEnvironmentCreateInput {
  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, {
    description:
      'The name: 1-32 lower-case letters, digits, hyphens and underscores that begin with a letter. Unique in the project; not `production`. It cannot be changed, because runs record it.',
  })
  name!: string;
}
