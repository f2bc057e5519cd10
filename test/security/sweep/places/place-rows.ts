import { Vault } from '../../../../src/platform/crypto/crypto.js';
import { testConfig } from '../../../support/config.js';
import type { TestService } from '../../../support/service.js';
import { COPIES, type Copy } from './place-copies.js';

/** What takes a worker, a file or an administrator to make: written as it is afterwards. */
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
  `insert into webhook_delivery (id, project_id, url, is_to_project, type, body, state, next_at, finished_at)
   select delivery, project, 'https://example.com/', true, 'webhook.test', '{}', 'delivered', null, now() from ${COPIES}`,
  `insert into pgboss.job (id, name, group_id, data)
   select delivery, 'webhook-dead-letter', project::text, json_build_object('subjectId', delivery, 'error', 'Gone.')
     from ${COPIES}`,
];

export async function writeRows(service: TestService, ids: string): Promise<void> {
  for (const row of ROWS) await service.sql(row, [ids]);
  await writeKeys(service, JSON.parse(ids));
}

/** Each key opens in its own place alone. Nobody answers at its address. */
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
