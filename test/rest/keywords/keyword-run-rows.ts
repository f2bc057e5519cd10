import type { TestService } from '../../support/service.js';

/** Inserts a keyword run with keywords, and returns its id. */
export async function insertKeywordRun(
  service: TestService,
  project: number,
  names: string[],
  status = 'finished',
): Promise<number> {
  const [{ id }] = (await service.sql(
    `insert into keyword_run (project_id, topic, preset, status, found) values ($1, 'x', 1, $2, $3) returning id`,
    [project, status, JSON.stringify(names)],
  )) as [{ id: number }];
  await service.sql(
    `insert into keyword (project_id, keywordrun_id, name, rank)
     select $1, $2, name, nr - 1 from unnest($3::text[]) with ordinality as n(name, nr)`,
    [project, id, names],
  );
  return id;
}
