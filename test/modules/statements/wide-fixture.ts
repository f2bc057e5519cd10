import { createCallers } from '../../security/sweep/callers.js';
import { createFixtures, type Fixture } from '../../security/sweep/fixtures/fixtures.js';
import type { TestService } from '../../support/service.js';

/**
 * Creates twenty-two fixtures, and in the first of them twenty of each object that a list of one project, run or
 * document contains.
 */
export async function createWideFixture(service: TestService): Promise<Fixture> {
  const callers = await createCallers(service);
  const [fixture] = await createFixtures(service, callers, 'http://127.0.0.1:1/mcp', 22);
  for (const statement of rowsOf(fixture!, callers.ids.administrator)) await service.sql(statement);
  return fixture!;
}

const TWENTY = 'generate_series(1, 20) n';
const USAGE = '[{"promptTokens": 1, "completionTokens": 1, "costUsd": "0.01"}]';
const RESULT =
  '{"data": {"if": {"id": "if", "status": "succeed", "result": {"content": "x"}, "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}}, "output": "x"}';
const CONDITIONS =
  '[{"type": "variable", "variable": 1, "variableName": 1, "message": null, "matching": "equal", "value": "a", "action": "skip", "isEnabled": true}]';

function rowsOf(
  { project, workflow, run, recognition, connection, apidefinition, rehearsal }: Fixture,
  administrator: number,
): string[] {
  const market = `set is_published = true, slug = 'wide-' || id, published_at = now(), available_languages = '{en}'`;
  return [
    `insert into app_user (email, name) select 'member-' || n || '@example.com', 'Member ' || n from ${TWENTY}`,
    `insert into project_member (project_id, user_id, role)
     select ${project}, id, 'viewer' from app_user where email like 'member-%'`,
    `insert into project_invitation (project_id, email, role, invited_by_id, expires_at)
     select ${project}, 'guest-' || n || '@example.com', 'viewer', ${administrator}, now() + interval '1 day' from ${TWENTY}`,
    `insert into api_key (user_id, name, prefix, hash, budget_usd)
     select id, 'Key', 'sk-', sha256(('wide' || n)::bytea), 5 from app_user, ${TWENTY} where email = 'admin@example.com'`,
    `insert into audit_entry (id, user_id, user_email, via, action, object_type, object_id, project_id, detail)
     select gen_random_uuid(), ${administrator}, 'a@example.com', 'key', 'project.update', 'project', '${project}', ${project}, '{}'
       from ${TWENTY}`,
    `insert into webhook_delivery (id, project_id, url, is_to_project, type, body, state, next_at, finished_at)
     select gen_random_uuid(), ${project}, 'https://example.com/', true, 'webhook.test', '{}', 'delivered', null, now() from ${TWENTY}`,
    'insert into webhook_attempt (delivery_id, number, at, status, duration_ms) select id, 1, now(), 200, 5 from webhook_delivery',
    `insert into workflow_revision (project_id, workflow_id, number, data)
     select ${project}, ${workflow}, n + 1, v.data from workflow w join workflow_revision v on v.id = w.revision_id, ${TWENTY}
      where w.id = ${workflow}`,
    `insert into workflow_publication (workflow_id, revision_id) select workflow_id, id from workflow_revision where workflow_id = ${workflow}`,
    `insert into rehearsal (id, project_id, workflow_id, kind, state, settings, budget_usd, finished_at)
     select gen_random_uuid(), ${project}, ${workflow}, 'publish_check', 'succeeded', '{"allow": []}', 0, now() from ${TWENTY}`,
    `insert into rehearsal_run (id, rehearsal_id, position, run_id, outcome)
     select gen_random_uuid(), '${rehearsal}', n, '${run}', 'unchanged' from ${TWENTY}`,
    `insert into workflow_trigger (project_id, workflow_id, kind, name, settings)
     select ${project}, ${workflow}, 'webhook', 'Hook', '{"methods": ["POST"], "verification": "none", "toleranceSeconds": 300,
            "maxBodyBytes": 1000, "reply": "accepted", "waitSeconds": 30}' from ${TWENTY}`,
    `insert into trigger_firing (id, trigger_id, outcome) select gen_random_uuid(), id, 'started' from workflow_trigger, ${TWENTY}`,
    `insert into trigger_conversation (id, trigger_id) select gen_random_uuid(), id from workflow_trigger, ${TWENTY}`,
    `insert into project_variable (project_id, name, value) select ${project}, 'NAME_' || n, 'x' from ${TWENTY}`,
    `insert into project_environment (project_id, name) select ${project}, 'env-' || n from ${TWENTY}`,
    `insert into project_variable_value (project_variable_id, project_environment_id, value)
     select v.id, e.id, 'x' from project_variable v join project_environment e on e.project_id = v.project_id where v.project_id = ${project}`,
    `insert into key_value_entry (id, project_id, key, value, bytes, version)
     select gen_random_uuid(), ${project}, 'wide-' || n, '1', 8, n from ${TWENTY}`,
    `insert into connection (project_id, name, kind, sealed, secret_changed_at, preset)
     select ${project}, 'Name ' || n, 'bearer', 'x', now(), 'github_token' from ${TWENTY}`,
    `insert into api_definition (project_id, name, base_url) select ${project}, 'Api ' || n, 'https://example.com' from ${TWENTY}`,
    `insert into api_operation (api_definition_id, position, name, operation_id, method, path, parameters, request)
     select ${apidefinition}, n, 'op' || n, 'op' || n, 'GET', '/' || n, '{}', '{"arguments": [], "body": null}' from ${TWENTY}`,
    `insert into connection_use (connection_id, workflow_id, user_id, run_id)
     select ${connection}, n, n, gen_random_uuid() from ${TWENTY}`,
    `insert into project_file (id, project_id, result_file, filename, content_type, size, sha256)
     select gen_random_uuid(), ${project}, 'wide-' || n, 'a.txt', 'text/plain', 1, '\\x00' from ${TWENTY}`,
    'update project set budget_usd = 5',

    `insert into workflow_run (id, project_id, workflow_id, revision_id, state, parent_run_id, forked_from_id,
                               use_in_marketplace_example, run_started_at, run_finished_at)
     select gen_random_uuid(), w.project_id, w.id, w.revision_id, state, r.id, r.id, state = 'succeeded', now(),
            case when state = 'succeeded' then now() end
       from unnest('{succeeded,waiting}'::text[]) state, workflow w join lateral (select id from workflow_run where workflow_id = w.id limit 1) r on true, ${TWENTY}
      where n = 1 or w.id = ${workflow}`,
    `insert into workflow_run_payload (run_id, run_created_at, input, result)
     select id, created_at, '{}', '${RESULT}' from workflow_run where forked_from_id is not null`,
    `insert into workflow_run_approval (id, run_id, project_id, node_id, kind, requested_at, expires_at)
     select gen_random_uuid(), id, project_id, 'agent', 'start', now(), now() + interval '1 day'
       from workflow_run where state = 'waiting'`,
    `insert into billing_transaction (project_id, run_id, node_id, user_id, operation, status, amount_usd, usage)
     select r.project_id, r.id, 'node-' || n, ${administrator}, 'basic-node', 'Success', 0.01, '${USAGE}'
       from workflow_run r, ${TWENTY} where n < 3 or r.id = '${run}'`,
    `insert into billing_transaction (project_id, run_id, node_id, user_id, operation, status, amount_usd, usage)
     select ${project}, gen_random_uuid(), 'chat', u.id, 'chat-completion', 'Success', 0.01, '${USAGE}'
       from app_user u, ${TWENTY} where u.email = 'admin@example.com'`,
    `insert into billing_credit (run_id, project_id, workflow_id, amount_usd)
     select id, project_id, workflow_id, 0.01 from workflow_run where forked_from_id is not null`,

    `insert into recognition_chunk (run_id, index, text, tokens) select ${recognition}, n, 'cats', 1 from ${TWENTY}`,
    `with made as (insert into keyword_cluster (run_id, name, position) select id, 'Cluster', 0 from keyword_run returning id, run_id)
     update keyword k set keyword_cluster_id = made.id from made where made.run_id = k.keywordrun_id`,
    `update message m set conditions = '${CONDITIONS}', loop_variable_id = v.id
       from variable v where v.project_id = m.project_id and v.scenariorun_id is null and m.scenariorun_id is null`,
    `update prompt set prompt_conditions = '${CONDITIONS}'`,
    `update scenario_run set final_result = 'x', error = '{"code": "failed", "message": "x"}',
            local_variables = '[{"message": 1, "name": "a", "value": "b"}]',
            processed_messages = '[{"message": 1, "key": "m", "status": "error", "results": ["x"],
              "spent": {"promptTokens": 1, "completionTokens": 1, "costUsd": "0"}, "error": {"code": "failed", "message": "x"}}]'`,
    `insert into subcategory (category_id, name) select id, 'Another' from category`,
    // No two objects of a list refer to the same third one, because a cache would then save a statement.
    ...['workflow', 'scenario'].map(
      table => `update ${table} t set category_id = c.category_id, subcategory_id = c.id
        from (select distinct on (category_id) s.*, dense_rank() over (order by category_id desc) as at from subcategory s) c,
             (select id, row_number() over (order by id) as at from ${table}) o where o.id = t.id and c.at = o.at`,
    ),
    `insert into mcp_server_tool (project_id, workflow_id, name) select ${project}, id, 'tool-' || id from workflow
       where archived_at is null on conflict (workflow_id) do update set project_id = excluded.project_id, name = excluded.name`,
    `update workflow ${market} where slug is null`,
  ];
}
