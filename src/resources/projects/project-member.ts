import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { User } from '../accounts/user.js';
import { Project } from './project.js';
import { type ProjectRole, ROLES } from './rights.js';

@Entity({ tableName: 'project_member' })
@Unique({ properties: ['user', 'project'] })
export class ProjectMember {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade', index: true })
  project!: Ref<Project>;

  @ManyToOne(() => User, { ref: true, deleteRule: 'cascade' })
  user!: Ref<User>;

  @Enum({ items: () => [...ROLES], type: 'string' })
  role!: ProjectRole;

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}
