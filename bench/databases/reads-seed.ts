import { runIdSql } from './databases.js';

const PROJECTS = 100;
/** Number of rows of each other kind in the first project. */
const ROWS = 100;
/** Workflows of each project. */
const WORKFLOWS = 10;
const RUNS = 30;

/** Ten nodes, with which the graph of a workflow has 3.5 KB. */
const NODES = Array.from({ length: 10 }, (_, n) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  type: 'template',
  position: { x: n * 120, y: 80 },
  data: { title: `Step ${n}`, settings: { template: 'A sentence of the text that the step writes. '.repeat(4) } },
}));
const GRAPH = JSON.stringify({ nodes: NODES, edges: [], viewport: { x: 0, y: 0, zoom: 1 } });
const NAMES = JSON.stringify(
  Array.from({ length: 10 }, (_, n) => ({ id: n + 1, name: `name-${n}`, value: `Value number ${n}`, isActive: true })),
);

/** Inserts rows of every kind that has a list and an item in REST. */
export const READS_SEED = [
  `insert into project (id, name, created_at)
   select n, 'Project ' || n, now() - n * interval '1 minute' from generate_series(1, ${PROJECTS}) n`,
  // Workflows and revisions refer to each other. Foreign keys are checked at the end of the statement, when both
  // exist.
  `with made as (
   insert into workflow (id, project_id, revision_id, title, sort_id, market_title, short_description, readme_guide)
   select n, (n - 1) / ${WORKFLOWS} + 1, n, 'Workflow ' || n, (n - 1) % ${WORKFLOWS} + 1, '', 'What it does.', ''
     from generate_series(1, ${PROJECTS * WORKFLOWS}) n
   returning id, project_id)
   insert into workflow_revision (id, project_id, workflow_id, number, data) select id, project_id, id, 1, '${GRAPH}' from made`,
  `insert into variable (id, project_id, key, variable_names, last_name_id, sort_id)
   select n, 1, 'variable-' || n, '${NAMES}', 10, n from generate_series(1, ${ROWS}) n`,
  `insert into prompt (id, project_id, key, role, content, prompt_conditions, sort_id)
   select n, 1, 'prompt-' || n, 'user', repeat('Write about the topic. ', 20), '[]', n from generate_series(1, ${ROWS}) n`,
  `insert into message (id, project_id, key, parameters, conditions, sort_id)
   select n, 1, 'message-' || n, '{"model_name":"echo"}', '[]', n from generate_series(1, 20) n`,
  `insert into scenario (id, project_id, name, category_id, run_fee, free_runs_per_user, sort_id, readme_guide)
   select n, 1, 'Scenario ' || n, (select min(id) from category), 10, 3, n, 'How to use it.'
     from generate_series(1, ${ROWS}) n`,
  `insert into scenario_message (scenario_id, message_id)
   select s, m from generate_series(1, ${ROWS}) s, generate_series(1, 5) m`,
  `insert into document (id, project_id, key, filename, result_file, content_type, size, sha256, created_at)
   select n, 1, 'key-' || n, 'report-' || n || '.pdf', 'file-' || n, 'application/pdf', 1000 + n, '', now() - n * interval '1 minute'
     from generate_series(1, ${ROWS}) n`,
  `with made as (
   insert into workflow_run (id, project_id, workflow_id, revision_id, state, sequence, cost_usd, created_at, updated_at,
                             run_started_at, run_finished_at)
   select ${runIdSql('n')}, 1, 1, 1, 'succeeded', 5, 0.001, at, at, at,
          at + interval '2 seconds'
     from generate_series(1, ${RUNS}) n, lateral (select date_trunc('milliseconds', now()) - n * interval '1 second' as at) _
   returning id, created_at)
   insert into workflow_run_payload (run_id, run_created_at, input, result)
   select id, created_at, '{"topic":"Refund policy"}', json_build_object('data', json_build_object(), 'output', repeat('Text. ', 50))
     from made`,
  'vacuum analyze',
];
