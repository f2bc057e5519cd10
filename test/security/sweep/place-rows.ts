import type { TestService } from '../../support/service.js';
import { COPIES } from './place-copies.js';

/** What takes a worker, a file or an administrator to make: written as it is afterwards. */
const ROWS = [
  `insert into category (id, name) select category, 'Category ' || category from ${COPIES}`,
  `insert into subcategory (id, category_id, name) select subcategory, category, 'Subcategory' from ${COPIES}`,
  `insert into document (id, project_id, key, filename, result_file, content_type, size, sha256)
   select document, project, 'paper', 'paper.txt', 'paper-' || document || '.txt', 'text/plain', 4, sha256('cats')
     from ${COPIES}`,
  `insert into recognition_run (id, project_id, document_id, state, chunk_size, chunks_count, progress, finished_at)
   select recognition, project, document, 'finished', 500, 1, 1, now() from ${COPIES}`,
  `insert into recognition_chunk (id, run_id, index, text, tokens) select chunk, recognition, 0, 'cats', 1 from ${COPIES}`,
  `insert into webhook_delivery (id, project_id, url, is_to_project, type, body, state, next_at, finished_at)
   select delivery, project, 'https://example.com/', true, 'webhook.test', '{}', 'delivered', null, now() from ${COPIES}`,
];

export async function writeRows(service: TestService, ids: string): Promise<void> {
  for (const row of ROWS) await service.sql(row, [ids]);
}
