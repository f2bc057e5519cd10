import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** The answer of a model to a request of a project. */
export const CachedAnswerEntity = defineEntity({
  name: 'CachedAnswer',
  tableName: 'cached_answer',
  properties: {
    project: () =>
      p
        .manyToOne(Project)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('cached_answer_project_id_fkey'),
    /** Keyed hash of the request. */
    digest: p.blob().$type<Buffer>().primary(),
    sealedAnswer: p.text(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    expiresAt: p.datetime(3),
  },
  indexes: [{ name: 'cached_answer_expiry', properties: ['expiresAt'] }],
});
