import type { QueryResultRow } from 'pg';

/**
 * Statements of `bare-reads.ts` for one kind of resource. `$1` is the administrator flag and `$2` the id of the
 * viewer.
 */
export interface BareKind {
  /** The path of the list. */
  list: string;
  /** The path of the item. Absent: the item has another shape or does not exist. */
  item?: string;
  /** Expressions on the row `t`, by the names of the JSON members. */
  columns: string;
  from: string;
  order: string;
  condition: string;
  /** Converts a row to its JSON. Absent: the row has that form. */
  row?(row: QueryResultRow): object;
}

/** The condition that the viewer may read the project whose id is the SQL expression `project`. */
export const visibleSql = (project: string) => `($1 or exists (select 1 from project_member viewer_member
  where viewer_member.project_id = ${project} and viewer_member.user_id = $2))`;

const TIMES = 't.created_at, t.updated_at';
const PART = {
  order: 't.project_id, t.sort_id, t.id',
  condition: `${visibleSql('t.project_id')} and t.scenariorun_id is null`,
};

export const BARE_KINDS: BareKind[] = [
  {
    list: '/api/v1/workflows/',
    item: '/api/v1/workflows/:id/',
    columns: `t.id, t.project_id as project, t.title, r.data, t.sort_id, t.market_title, t.short_description, t.readme_guide,
      t.available_languages, t.run_fee, t.free_runs_per_user, t.category_id as category, t.subcategory_id as subcategory,
      t.slug, t.is_published, t.copied_from_id as copied_from, ${visibleSql('t.project_id')} as can_edit, ${TIMES}`,
    from: 'workflow t join workflow_revision r on r.id = t.revision_id',
    order: 't.project_id, t.sort_id, t.id',
    condition: `${visibleSql('t.project_id')} and t.archived_at is null`,
  },
  {
    ...PART,
    list: '/api/v1/variables/',
    item: '/api/v1/variables/:id/',
    columns: `t.id, t.key, t.project_id as project, t.variable_names, t.is_global, t.keywordrun_id as keywordrun,
      t.keywordrun_mode, t.sort_id, t.scenariorun_id as scenariorun, ${TIMES}`,
    from: 'variable t',
    row: ({ variable_names, ...row }) => ({
      ...row,
      variable_names: variable_names.map(({ id, name, value, isActive }: QueryResultRow) => ({
        ...{ id, name, value },
        is_active: isActive,
      })),
    }),
  },
  {
    ...PART,
    list: '/api/v1/prompts/',
    item: '/api/v1/prompts/:id/',
    columns: `t.id, t.key, t.role, t.content, t.project_id as project, t.prompt_conditions, t.sort_id,
      t.scenariorun_id as scenariorun, ${TIMES}`,
    from: 'prompt t',
    condition: `(t.owner_id = $2 or ${visibleSql('t.project_id')}) and t.scenariorun_id is null`,
  },
  {
    ...PART,
    list: '/api/v1/scenarios/',
    columns: `t.id, t.name, t.project_id as project, t.category_id as category, t.subcategory_id as subcategory, t.run_fee,
      t.free_runs_per_user, array(select m.id from scenario_message l join message m on m.id = l.message_id
        where l.scenario_id = t.id order by m.sort_id, m.id) as messages, t.available_languages, t.market_title,
      t.short_description, t.market_permission, t.readme_guide, t.sort_id, t.scenariorun_id as scenariorun,
      ${visibleSql('t.project_id')} as can_edit, ${TIMES}`,
    from: 'scenario t',
  },
  {
    // `result_url` stands for the signed URL, which the comparison of the bodies ignores.
    list: '/api/v1/documents/',
    item: '/api/v1/documents/:id/',
    columns: `t.id, t.project_id as project, t.key, t.filename, t.result_file, 'of a signature' as result_url,
      t.content_type, t.size, ${TIMES}`,
    from: 'document t',
    order: 't.created_at desc, t.id desc',
    condition: visibleSql('t.project_id'),
  },
  {
    list: '/api/v1/workflows/1/history/',
    item: '/api/v1/workflows/1/history/:id/',
    columns: `t.id, ${TIMES}, t.run_started_at, t.run_finished_at, p.result, r.data, p.input as input_data, t.is_api_run,
      t.use_in_marketplace_example, t.use_as_marketplace_template, t.cost_usd, t.commission_usd`,
    from: `workflow_run t join workflow_run_payload p on p.run_id = t.id and p.run_created_at = t.created_at
      join workflow_revision r on r.id = t.revision_id`,
    order: 't.created_at desc, t.id desc',
    condition: `${visibleSql('t.project_id')} and t.workflow_id = 1`,
    row: ({ cost_usd, commission_usd, ...row }) => ({
      ...row,
      ...{ status: 'Succeeded', input_fields: [] },
      cost: {
        ...{ USD: cost_usd, SR: String(Number(cost_usd) * 100) },
        external_cost_usd: { cost: Number(cost_usd), commission: Number(commission_usd) },
      },
      duration: (row.run_finished_at - row.run_started_at) / 1000,
    }),
  },
];
