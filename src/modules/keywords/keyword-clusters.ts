import DataLoader from 'dataloader';
import type { Cluster, Clusterable } from '../../engine/text/cluster.js';
import type { Sql } from '../../platform/database/database.js';
import { anyInt, expression, queryBuilder } from '../../platform/database/typed-queries.js';
import type { RequestContext } from '../accounts/request-context.js';
import { KEYWORD_COLUMNS } from './keyword.js';
import type { KeywordTables } from './keyword-tables.js';
import type { KeywordCluster } from './runs/keyword-run.js';

/** Offset that makes every keyword with a known volume stronger than any keyword that has only a rank. */
const VOLUME_OFFSET = 1_000_000;

/** The members of a keyword that decide which name its cluster has. */
export interface KeywordStrength {
  name: string;
  volume: number | null;
  /** Index among the keywords that the run found, from 0 for the best; null for a keyword added by hand. */
  rank: number | null;
}

/** Orders keywords by volume, then those without volume by rank, then keywords added by hand. */
export function toClusterable({ name, volume, rank }: KeywordStrength): Clusterable {
  if (volume !== null) return { name, strength: VOLUME_OFFSET + volume };
  return { name, strength: rank !== null ? VOLUME_OFFSET - 1 - rank : 0 };
}

/** Replaces the clusters of a run. The members of a cluster are indexes into `ids`, the ids of the keywords. */
export async function writeClusters(
  sql: Sql,
  runId: number,
  clusters: readonly Cluster[],
  ids: readonly number[],
): Promise<void> {
  const names = clusters.map(({ name }) => name);
  const tables = queryBuilder<KeywordTables>(sql);
  await tables
    .updateTable('keyword')
    .set({ keyword_cluster_id: null })
    .where('keywordrun_id', '=', runId)
    .where('keyword_cluster_id', 'is not', null)
    .execute();
  await tables
    .deleteFrom('keyword_cluster')
    .where('run_id', '=', runId)
    .where('name', '<>', expression<string>`all(${names}::text[])`)
    .execute();
  await upsertClusters(sql, runId, names);
  const members = clusters.flatMap(({ name, members: indexes }) =>
    indexes.map(index => ({ name, keyword: ids[index]! })),
  );
  await tables
    .updateTable('keyword as k')
    .from(
      expression<{ keyword: number; name: string }>`unnest(
        ${members.map(({ keyword }) => keyword)}::int[], ${members.map(({ name }) => name)}::text[])`.as<'member'>(
        expression`member(keyword, name)`,
      ),
    )
    .innerJoin('keyword_cluster as c', 'c.name', 'member.name')
    .set(({ ref }) => ({ keyword_cluster_id: ref('c.id') }))
    .where('c.run_id', '=', runId)
    .whereRef('k.id', '=', 'member.keyword')
    .where('k.keywordrun_id', '=', runId)
    .execute();
}

/** Inserts new clusters and updates the positions of the others. A cluster keeps its id if its name stays the same. */
async function upsertClusters(sql: Sql, runId: number, names: readonly string[]): Promise<void> {
  const incoming = expression<{
    name: string;
    position: number;
  }>`unnest(${names}::text[]) with ordinality`.as<'incoming'>(expression`incoming(name, position)`);
  await queryBuilder<KeywordTables>(sql)
    .with('existing', tables =>
      tables
        .updateTable('keyword_cluster as c')
        .from(incoming)
        .set(({ eb }) => ({ position: eb('incoming.position', '-', 1) }))
        .where('c.run_id', '=', runId)
        .whereRef('c.name', '=', 'incoming.name')
        .returning('c.name'),
    )
    .insertInto('keyword_cluster')
    .columns(['run_id', 'name', 'position'])
    .expression(tables =>
      tables
        .selectFrom(incoming)
        .select(({ eb, val }) => [
          eb.cast<number>(val(runId), 'integer').as('run_id'),
          'incoming.name',
          eb('incoming.position', '-', 1).as('position'),
        ])
        .where('incoming.name', 'not in', ({ selectFrom }) => selectFrom('existing').select('existing.name')),
    )
    .execute();
}

/** Loads the clusters of runs that have keywords, with one query for all runs of a list. */
export function clusterLoader(context: RequestContext, sql: Sql): DataLoader<number, KeywordCluster[]> {
  return context.loader(
    'keywordRun.clusters',
    () =>
      new DataLoader<number, KeywordCluster[]>(async runIds => {
        const rows = await queryBuilder<KeywordTables>(sql)
          .selectFrom('keyword_cluster as c')
          .innerJoin('keyword', 'keyword.keyword_cluster_id', 'c.id')
          .select(KEYWORD_COLUMNS)
          .select('c.name as clusterName')
          .where('c.run_id', '=', anyInt(runIds))
          .orderBy('c.run_id')
          .orderBy('c.position')
          .orderBy('c.id')
          .orderBy('keyword.rank', rank => rank.asc().nullsLast())
          .orderBy('keyword.id')
          .execute();
        const byRun = Map.groupBy(rows, row => row.keywordRunId);
        return runIds.map(runId => {
          const byCluster = Map.groupBy(byRun.get(runId) ?? [], row => row.keywordClusterId);
          return [...byCluster].map(([id, members]) => ({
            id: id!,
            name: members[0]!.clusterName,
            keywords: members.map(({ clusterName: _, ...keyword }) => keyword),
          }));
        });
      }),
  );
}
