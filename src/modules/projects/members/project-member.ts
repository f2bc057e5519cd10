import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { NonColumn } from '../../../platform/database/typed-queries.js';
import { DateTime } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { User } from '../../accounts/users/user.js';
import { Project } from '../project.js';
import { type ProjectRole, ROLES } from '../rights.js';

/** The roles by their GraphQL names. */
export const RoleName = {
  VIEWER: 'viewer',
  EDITOR: 'editor',
  ADMIN: 'admin',
  OWNER: 'owner',
} as const satisfies Record<string, ProjectRole>;
registerEnumType(RoleName, {
  name: 'ProjectRole',
  description: 'The rights of a member in a project. Each role includes the rights of the weaker roles.',
  valuesConfig: {
    VIEWER: { description: 'Reads everything in the project.' },
    EDITOR: { description: 'Creates, changes, deletes and runs workflows, scenarios and other contents.' },
    ADMIN: {
      description: 'Publishes workflows, manages members, webhooks and provider keys, and changes the project itself.',
    },
    OWNER: { description: 'Deletes the project and transfers the ownership. Every project has exactly one owner.' },
  },
});

@ObjectType({ description: 'The membership of a user in a project.' })
@Entity({ tableName: 'project_member' })
@Unique({ properties: ['user', 'project'] })
@Unique({ name: 'project_member_one_owner', properties: ['project'], where: `role = 'owner'` })
export class ProjectMember {
  @Field(() => Int, { description: 'The id of the membership. Unique; not the id of the user.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade', index: true })
  project!: Ref<Project>;

  @ManyToOne(() => User, { ref: true, deleteRule: 'cascade' })
  user!: Ref<User>;

  /** `userId`, `email` and `name` are selected from the user. */
  @Field(() => Int, { description: 'The id of the user.' })
  userId!: NonColumn<number>;

  @Field(() => String, { description: 'The email of the user, in lower case.' })
  email!: NonColumn<string>;

  @Field(() => String, { description: 'The display name of the user. Empty if unset.' })
  name!: NonColumn<string>;

  @Field(() => RoleName, { description: 'The role of the member.' })
  @Enum({ items: () => [...ROLES], type: 'string' })
  role!: ProjectRole;

  @Field(() => DateTime, { description: 'When the user became a member.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}

@ObjectType({ description: 'One page of members.' })
export class ProjectMemberPage extends pageOf(ProjectMember) {}

/** A row of a member with the columns of its user. */
export type MemberRow = Pick<ProjectMember, 'id' | 'userId' | 'email' | 'name' | 'role' | 'createdAt'> & {
  projectId: number;
};
