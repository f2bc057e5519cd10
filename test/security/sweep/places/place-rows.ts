import { Vault } from '../../../../src/platform/crypto/crypto.js';
import { testConfig } from '../../../support/config.js';
import type { TestService } from '../../../support/service.js';
import { COPIES, type Copy } from './place-copies.js';

/** Objects that need a worker, a file or an administrator to be created: written directly in their final state. */
const ROWS = [
  `insert into category (id, name) select category, 'Category ' || category from ${COPIES}`,
  `insert into subcategory (id, category_id, name) select subcategory, category, 'Subcategory' from ${COPIES}`,
  `insert into scenario_run (id, billing_id, scenario_id, project_id, status, inserted_variables, finished_at)
   select scenariorun, gen_random_uuid(), scenario, project, 'finished',
          '[{"id": 1, "variable": 1, "variableName": 1, "value": "cats"}]', now() from ${COPIES}`,
  `insert into message (project_id, key, parameters, conditions, sort_id, scenariorun_id)
   select project, 'copied', '{}', '[]', 1, scenariorun from ${COPIES}`,
  `insert into variable (project_id, key, variable_names, last_name_id, sort_id, scenariorun_id)
   select project, 'copied', '[{"id": 1, "name": "a", "value": "1", "isActive": true}]', 1, 1, scenariorun from ${COPIES}`,
  `insert into document (id, project_id, key, filename, result_file, content_type, size, sha256)
   select document, project, 'paper', 'paper.txt', 'paper-' || document || '.txt', 'text/plain', 4, sha256('cats')
     from ${COPIES}`,
  `insert into recognition_run (id, project_id, document_id, state, chunk_size, chunks_count, progress, finished_at)
   select recognition, project, document, 'finished', 500, 1, 1, now() from ${COPIES}`,
  `insert into recognition_chunk (id, run_id, index, text, tokens) select chunk, recognition, 0, 'cats', 1 from ${COPIES}`,
  `insert into keyword_run (id, project_id, topic, preset, status, found, finished_at)
   select keywordrun, project, 'cats', 1, 'finished', '["cats"]', now() from ${COPIES}`,
  `insert into keyword (id, project_id, keywordrun_id, name, rank) select keyword, project, keywordrun, 'cats', 0 from ${COPIES}`,
  `insert into project_variable (id, project_id, name, value) select projectvariable, project, 'COLOR', 'red' from ${COPIES}`,
  `insert into connection (id, project_id, name, kind, settings, allowed_hosts)
   select connection, project, 'Server', 'basic', '{"username": "ada", "baseUrl": "http://127.0.0.1:1"}', '{127.0.0.1:1}' from ${COPIES}`,
  `insert into api_definition (id, project_id, name, base_url, operations_count)
   select apidefinition, project, 'Pets', 'http://127.0.0.1:1', 1 from ${COPIES}`,
  `insert into api_operation (api_definition_id, position, name, method, path, parameters, request)
   select apidefinition, 0, 'listPets', 'GET', '/pets', '{"type": "object"}', '{"arguments": [], "body": null}' from ${COPIES}`,
  `insert into project_file (id, project_id, result_file, filename, content_type, size, sha256)
   select file, project, md5(file::text) || '.txt', 'paper.txt', 'text/plain', 4, sha256('cats') from ${COPIES}`,
  `insert into key_value_store (project_id, version, entries, bytes) select project, 1, 1, 10 from ${COPIES}`,
  `insert into key_value_entry (id, project_id, key, value, bytes, version)
   select keyvalue, project, 'color', '"red"', 10, 1 from ${COPIES}`,
  `insert into webhook_delivery (id, project_id, url, is_to_project, type, body, state, next_at, finished_at)
   select delivery, project, 'https://example.com/', true, 'webhook.test', '{}', 'delivered', null, now() from ${COPIES}`,
  `insert into workflow_trigger (id, project_id, workflow_id, kind, name, settings, sealed)
   select trigger, project, workflow, 'webhook', 'Hook', '{"methods": ["POST"], "verification": "none", "toleranceSeconds": 300, "maxBodyBytes": 1000,
            "reply": "accepted", "waitSeconds": 30}', null from ${COPIES}`,
  `insert into rehearsal (id, project_id, workflow_id, revision_id, kind, settings, budget_usd)
   select rehearsal, project, workflow, revision, 'publish_check', '{"allow": []}', 0 from ${COPIES}`,
  `insert into mcp_server_tool (project_id, workflow_id, name) select project, workflow, 'greet' from ${COPIES}`,
  `insert into pgboss.job (id, name, group_id, data)
   select delivery, 'webhook-dead-letter', project::text, json_build_object('subjectId', delivery, 'error', 'Gone.')
     from ${COPIES}`,
];

/** Writes the rows of all places. `ids`: the ids of the objects of each place as JSON, a list of `Copy`. */
export async function writeRows(service: TestService, ids: string): Promise<void> {
  for (const row of ROWS) await service.sql(row, [ids]);
  await writeKeys(service, JSON.parse(ids));
  await writeTriggers(service, JSON.parse(ids));
}

/** Gives each trigger a webhook address with a separate token. */
async function writeTriggers(service: TestService, copies: Copy[]): Promise<void> {
  const vault = new Vault(testConfig(service.database).encryptionKey!);
  const sealed = copies.map(({ trigger }) =>
    vault.seal(JSON.stringify({ token: `token-${trigger}`, secret: null }), `workflow_trigger:sealed:${trigger}`),
  );
  await service.sql(
    'update workflow_trigger t set sealed = k.sealed from unnest($1::int[], $2::text[]) as k(id, sealed) where t.id = k.id',
    [copies.map(({ trigger }) => trigger), sealed],
  );
}

/** Writes a provider key for each place. It is sealed for its row. No server listens at its base URL. */
async function writeKeys(service: TestService, copies: Copy[]): Promise<void> {
  const vault = new Vault(testConfig(service.database).encryptionKey!);
  await service.sql(
    `insert into provider_key (id, project_id, provider, name, base_url, sealed, last4)
     select id, project, 'openai', 'Key', 'http://127.0.0.1:1/v1', sealed, '6789'
       from unnest($1::int[], $2::int[], $3::text[]) as k(id, project, sealed)`,
    [
      copies.map(copy => copy.providerkey),
      copies.map(copy => copy.project),
      copies.map(copy => vault.seal('sk-0123456789', `provider_key:sealed:${copy.providerkey}`)),
    ],
  );
}
