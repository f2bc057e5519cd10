import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';
import { MarketTermsEntity } from './market/market-terms.entity.js';
import { Workflow } from './workflow.js';

/**
 * An immutable saved state of a graph. `data` contains the mask in place of secret defaults. Their values are sealed in a
 * separate column, so that reading a graph cannot expose them.
 */
@Entity({ tableName: 'workflow_revision' })
@Unique({ name: 'workflow_revision_number_key', properties: ['workflow', 'number'] })
@Index({ name: 'workflow_revision_by_age', properties: ['createdAt'] })
@Index({
  name: 'workflow_revision_of_market_terms',
  properties: ['marketTermsId'],
  where: 'market_terms_id is not null',
})
export class WorkflowRevision {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Project, { ref: true, deleteRule: 'cascade', index: true })
  project!: Ref<Project>;

  /** Null for a graph that was run without a stored workflow. */
  @ManyToOne(() => Workflow, { ref: true, nullable: true, deleteRule: 'cascade' })
  workflow: Ref<Workflow> | null = null;

  /** Position in the history of the workflow, from 1. Null for a graph that was run without a stored workflow. */
  @Property({ type: 'integer', nullable: true })
  number: number | null = null;

  @ManyToOne(() => User, { ref: true, nullable: true, deleteRule: 'set null', index: true })
  user: Ref<User> | null = null;

  /** A revision with a name is never deleted by retention. */
  @Property({ type: 'text' })
  name: string & Opt = '';

  @Property({ type: 'text' })
  note: string & Opt = '';

  @Property({ type: 'json', columnType: 'json' })
  data!: Record<string, unknown>;

  @Property({ type: 'text', nullable: true })
  sealedSecrets: string | null = null;

  /** The market terms that apply to runs of this graph. */
  @ManyToOne({
    ...{ entity: () => MarketTermsEntity, fieldName: 'market_terms_id', mapToPk: true, nullable: true },
    ...{ deleteRule: 'set null', foreignKeyName: 'workflow_revision_market_terms_id_fkey' },
  })
  marketTermsId: number | null = null;

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}
