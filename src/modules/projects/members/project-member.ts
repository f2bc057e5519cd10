import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { NotStored } from '../../../platform/database/typed-queries.js';
import { DateTime } from '../../../platform/json/scalars.js';
import { User } from '../../accounts/users/user.js';
import { Project } from '../project.js';
import { type ProjectRole, ROLES } from '../rights.js';

/** The roles by their names in GraphQL. */
export const RoleName = {
  VIEWER: 'viewer',
  EDITOR: 'editor',
  ADMIN: 'admin',
  OWNER: 'owner',
} as const satisfies Record<string, ProjectRole>;
registerEnumType(RoleName, {
  name: 'ProjectRole',
  description: 'What a member of a project may do; each may all that the weaker ones may.',
  valuesConfig: {
    VIEWER: { description: 'Reads everything of the project.' },
    EDITOR: { description: 'Creates, changes, deletes and runs.' },
    ADMIN: { description: 'Publishes, manages members and changes the project itself.' },
    OWNER: { description: 'Deletes the project and hands it on. Every project has one owner.' },
  },
});

@ObjectType({ description: 'A user’s part in a project.' })
@Entity({ tableName: 'project_member' })
@Unique({ properties: ['user', 'project'] })
@Unique({ name: 'project_member_one_owner', properties: ['project'], where: `role = 'owner'` })
export class ProjectMember {
  @Field(() => Int, { description: 'Unique; not the id of the user.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade', index: true })
  project!: Ref<Project>;

  @ManyToOne(() => User, { ref: true, deleteRule: 'cascade' })
  user!: Ref<User>;

  /** These three are read along with the row. */
  @Field(() => Int, { description: 'The user.' })
  userId!: NotStored<number>;

  @Field(() => String, { description: 'The user’s email, in lower case.' })
  email!: NotStored<string>;

  @Field(() => String, { description: 'What the user is called; empty when unset.' })
  name!: NotStored<string>;

  @Field(() => RoleName, { description: 'What the member may do.' })
  @Enum({ items: () => [...ROLES], type: 'string' })
  role!: ProjectRole;

  @Field(() => DateTime, { description: 'When the user became a member.' })
  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}

/** A member as queries read it, with its user. */
export type MemberRow = Pick<ProjectMember, 'id' | 'userId' | 'email' | 'name' | 'role' | 'createdAt'> & {
  projectId: number;
};
