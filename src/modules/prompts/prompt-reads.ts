import type { Sql } from '../../platform/database/database.js';
import { type QueryCreator, queryBuilder } from '../../platform/database/typed-queries.js';
import { PartList } from '../projects/parts/part-list.js';
import { partReads } from '../projects/parts/part-reads.js';
import type { Prompt } from './prompt.js';
import type { PromptTables } from './prompt-tables.js';

function selectPrompts(tables: QueryCreator<PromptTables>) {
  return tables
    .selectFrom('prompt as t')
    .select(['t.id', 't.project_id as projectId', 't.key', 't.role', 't.sort_id as sortId'])
    .select(['t.scenariorun_id as scenarioRunId', 't.original_id as originalId'])
    .select(['t.created_at as createdAt', 't.updated_at as updatedAt'])
    .$castTo<Prompt>();
}

/** The columns of the large members, which lists read only when they are selected. */
export const PROMPT_PAYLOADS = { content: 'content', promptConditions: 'prompt_conditions' };

/** Queries for prompts as parts of their projects: by id and by project. */
export const PROMPT_READS = partReads<Prompt>({
  table: 'prompt',
  select: selectPrompts,
  payloads: PROMPT_PAYLOADS,
});

/** The paginated, filtered list of prompts. */
export const PROMPT_LIST = new PartList(PROMPT_READS);

/** The prompt of a project with this key, with its content. Undefined: there is none. The caller has authorized the viewer. */
export function findPrompt(sql: Sql, projectId: number, key: string): Promise<Prompt | undefined> {
  return PROMPT_READS.withPayloads(selectPrompts(queryBuilder<PromptTables>(sql)))
    .where('t.project_id', '=', projectId)
    .where('t.key', '=', key)
    .where('t.scenariorun_id', 'is', null)
    .executeTakeFirst();
}
