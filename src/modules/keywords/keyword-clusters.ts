import DataLoader from 'dataloader';
import type { Cluster, Clusterable } from '../../engine/text/cluster.js';
import type { Sql } from '../../platform/database/database.js';
import type { RequestContext } from '../accounts/request-context.js';
import { KEYWORD_COLUMNS, type Keyword } from './keyword.js';
import type { KeywordCluster } from './runs/keyword-run.js';

/** Keywords found are the stronger the earlier they come; one of known volume is stronger than one of none. */
const RANKED = 1_000_000;

export interface Groupable {
  name: string;
  volume: number | null;
  /** Its place among those found, from 0; null for one added by hand. */
  rank: number | null;
}

export function clusterable({ name, volume, rank }: Groupable): Clusterable {
  return { name, strength: volume !== null ? RANKED + volume : rank !== null ? RANKED - 1 - rank : 0 };
}

/** Writes the clusters of a run in the place of those it had; `ids` are those of the keywords that were grouped. */
export async function writeClusters(
  sql: Sql,
  runId: number,
  clusters: readonly Cluster[],
  ids: readonly number[],
): Promise<void> {
  await sql.query(
    'update keyword set keyword_cluster_id = null where keywordrun_id = $1 and keyword_cluster_id is not null',
    [runId],
  );
  const names = clusters.map(({ name }) => name);
  // One that is still there keeps its id, and what names it goes on finding it.
  await sql.query('delete from keyword_cluster where run_id = $1 and name <> all($2::text[])', [runId, names]);
  await sql.query(
    `with given as (select name, position::int - 1 as position from unnest($2::text[]) with ordinality as g(name, position)),
       kept as (
         update keyword_cluster c set position = g.position from given g where c.run_id = $1 and c.name = g.name
         returning c.name)
     insert into keyword_cluster (run_id, name, position)
     select $1, name, position from given where name not in (select name from kept)`,
    [runId, names],
  );
  const members = clusters.flatMap(({ name, members: places }) => places.map(at => ({ name, keyword: ids[at]! })));
  await sql.query(
    `update keyword k set keyword_cluster_id = c.id
       from unnest($2::int[], $3::text[]) as m(keyword, name) join keyword_cluster c on c.run_id = $1 and c.name = m.name
      where k.id = m.keyword and k.keywordrun_id = $1`,
    [runId, members.map(({ keyword }) => keyword), members.map(({ name }) => name)],
  );
}

/** The clusters of runs, a query for all the runs of a list. One without keywords is left out. */
export function clustersOfRun(context: RequestContext, sql: Sql): DataLoader<number, KeywordCluster[]> {
  return context.loader(
    'keywordRun.clusters',
    () =>
      new DataLoader<number, KeywordCluster[]>(async runIds => {
        const rows = await sql.query<Keyword & { clusterName: string }>(
          `select ${KEYWORD_COLUMNS}, c.name as "clusterName"
             from keyword_cluster c join keyword k on k.keyword_cluster_id = c.id
            where c.run_id = any($1::int[]) order by c.run_id, c.position, c.id, k.rank nulls last, k.id`,
          [runIds],
        );
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
