import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { Project } from './project.js';

@InputType({ description: 'A new project.' })
export class ProjectCreateInput {
  @Field(() => String, { description: '1-255 characters.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'An http or https URL; empty: none.' })
  webhookUrl?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether webhooks are sent. Default: false.' })
  isWebhookEnabled?: boolean | null;
}

@InputType({ description: 'Changes to a project; what is left out stays.' })
export class ProjectUpdateInput implements Partial<ProjectCreateInput> {
  @Field(() => String, { nullable: true, description: '1-255 characters.' })
  name?: string;

  @Field(() => String, { nullable: true, description: 'An http or https URL; empty: none.' })
  webhookUrl?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether webhooks are sent.' })
  isWebhookEnabled?: boolean | null;
}

/** Each with the column it goes by. */
export enum ProjectOrder {
  CREATED_AT_ASC = 'createdAt asc',
  CREATED_AT_DESC = 'createdAt desc',
  NAME_ASC = 'name asc',
  NAME_DESC = 'name desc',
}
registerEnumType(ProjectOrder, {
  name: 'ProjectOrder',
  description: 'Orders of projects.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    NAME_ASC: { description: 'By name, from A.' },
    NAME_DESC: { description: 'By name, from Z.' },
  },
});

@InputType({ description: 'Which projects to list.' })
export class ProjectFilter {
  @Field(() => String, { nullable: true, description: 'Part of the name, in any case; `%` and `_` are literal.' })
  nameContains?: string | null;
}

@ObjectType({ description: 'One page of projects.' })
export class ProjectPage extends pageOf(Project) {}
