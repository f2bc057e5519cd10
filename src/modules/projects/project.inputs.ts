import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { Project } from './project.js';

@InputType({ description: 'A new project.' })
export class ProjectCreateInput {
  @Field(() => String, { description: 'The name of the project, 1-255 characters.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The http or https URL that receives webhooks, at most 2,048 characters. Empty or null: none.',
  })
  webhookUrl?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether webhooks are sent. Default: false.' })
  isWebhookEnabled?: boolean | null;
}

@InputType({ description: 'Changes to a project. Absent fields keep their values.' })
export class ProjectUpdateInput implements Partial<ProjectCreateInput> {
  @Field(() => String, { nullable: true, description: 'The name of the project, 1-255 characters.' })
  name?: string;

  @Field(() => String, {
    nullable: true,
    description: 'The http or https URL that receives webhooks, at most 2,048 characters. Empty or null: none.',
  })
  webhookUrl?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether webhooks are sent.' })
  isWebhookEnabled?: boolean | null;
}

/** The value is the property and direction of the order. */
export enum ProjectOrder {
  CREATED_AT_ASC = 'createdAt asc',
  CREATED_AT_DESC = 'createdAt desc',
  NAME_ASC = 'name asc',
  NAME_DESC = 'name desc',
}
registerEnumType(ProjectOrder, {
  name: 'ProjectOrder',
  description: 'The order of listed projects.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    NAME_ASC: { description: 'By name, ascending.' },
    NAME_DESC: { description: 'By name, descending.' },
  },
});

@InputType({ description: 'Filters projects.' })
export class ProjectFilter {
  @Field(() => String, {
    nullable: true,
    description: 'A part of the name, at most 255 characters. Case-insensitive; `%` and `_` are literal.',
  })
  nameContains?: string | null;
}

@ObjectType({ description: 'One page of projects.' })
export class ProjectPage extends pageOf(Project) {}
