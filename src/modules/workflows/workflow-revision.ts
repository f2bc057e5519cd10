import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Project } from '../projects/project.js';
import { MarketTermsEntity } from './market/market-terms.entity.js';
import { Workflow } from './workflow.js';

/**
 * One saved state of a graph, immutable. `data` holds the mask where a secret default stands; the values lie sealed
 * beside it, so that no read can leak what it never fetched.
 */
@Entity({ tableName: 'workflow_revision' })
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

  /** Null for a graph that was run without being stored as a workflow. */
  @ManyToOne(() => Workflow, { ref: true, nullable: true, deleteRule: 'cascade', index: true })
  workflow: Ref<Workflow> | null = null;

  @Property({ type: 'json', columnType: 'json' })
  data!: Record<string, unknown>;

  @Property({ type: 'text', nullable: true })
  sealedSecrets: string | null = null;

  /** The terms that runs of this graph are charged by. */
  @ManyToOne({
    ...{ entity: () => MarketTermsEntity, fieldName: 'market_terms_id', mapToPk: true, nullable: true },
    ...{ deleteRule: 'set null', foreignKeyName: 'workflow_revision_market_terms_id_fkey' },
  })
  marketTermsId: number | null = null;

  @Property({ type: 'datetime', columnType: 'timestamptz(3)', defaultRaw: 'now()' })
  createdAt: Date & Opt = new Date();
}
