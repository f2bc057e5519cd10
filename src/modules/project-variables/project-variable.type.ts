import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';

@ObjectType({
  description:
    'A value that the workflows of a project use as `{{ env.NAME }}`. The value of a secret is never returned.',
})
export class ProjectVariable {
  @Field(() => Int, { description: 'The id of the variable. Unique.' })
  id!: number;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The name, unique in the project.' })
  name!: string;

  @Field(() => String, { description: 'The value; `********` for a secret.' })
  value!: string;

  @Field(() => Boolean, { description: 'Whether the value is a secret: stored encrypted and masked in runs.' })
  isSecret!: boolean;

  @Field(() => [String], {
    description: 'The hosts to which a secret may be sent, at most 50. Empty: any host.',
  })
  allowedHosts!: string[];

  @Field(() => DateTime, { description: 'When the variable was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the variable was last changed.' })
  updatedAt!: Date;
}

@ObjectType({ description: 'One page of project variables.' })
export class ProjectVariablePage extends pageOf(ProjectVariable) {}
