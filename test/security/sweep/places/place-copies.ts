import type { TestService } from '../../../support/service.js';

/** Objects of a place that have a numeric id, and the table of each. */
const NUMBERED = {
  project: 'project',
  workflow: 'workflow',
  revision: 'workflow_revision',
  category: 'category',
  subcategory: 'subcategory',
  variable: 'variable',
  prompt: 'prompt',
  message: 'message',
  scenario: 'scenario',
  scenariorun: 'scenario_run',
  document: 'document',
  recognition: 'recognition_run',
  chunk: 'recognition_chunk',
  keywordrun: 'keyword_run',
  keyword: 'keyword',
  trigger: 'workflow_trigger',
  providerkey: 'provider_key',
  projectvariable: 'project_variable',
  connection: 'connection',
  apidefinition: 'api_definition',
} as const;

const UUIDS = ['run', 'draft', 'ended', 'approval', 'delivery', 'file', 'keyvalue', 'rehearsal'] as const;

/** The ids of one place. */
export type Copy = Record<keyof typeof NUMBERED, number> & Record<(typeof UUIDS)[number], string>;

/** Ids of the copies as SQL expressions: `$1` is the result of `newCopies`, as JSON. */
export const COPIES = `json_to_recordset($1) as p(${[
  ...Object.keys(NUMBERED).map(name => `${name} int`),
  ...UUIDS.map(name => `${name} uuid`),
].join(', ')})`;

export async function newCopies(service: TestService, count: number): Promise<Copy[]> {
  const ids = [
    ...Object.entries(NUMBERED).map(([name, table]) => `nextval('${table}_id_seq')::int as ${name}`),
    ...UUIDS.map(name => `gen_random_uuid() as ${name}`),
  ];
  return (await service.sql(`select ${ids.join(', ')} from generate_series(1, $1)`, [count])) as Copy[];
}

/** `made` is a row of `table` with some of its members replaced. */
export function copied(table: string, replaced: string, where: string, pairs = ''): string {
  return `insert into ${table} select made.* from ${table} t cross join ${COPIES} ${pairs}
    cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${replaced})) made
    where ${where}`;
}
