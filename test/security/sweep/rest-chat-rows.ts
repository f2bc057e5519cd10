import type { Fixture } from './fixtures/fixtures.js';
import { type RestRow, type RestRowOptions, restRow as row } from './rows.js';

/** A header that names a project the caller cannot access is a bad value. */
const forProject: RestRowOptions = {
  headers: ({ project }: Fixture) => ({ 'X-Project-Id': String(project) }),
  namesObject: true,
  missing: '400 invalid_value',
};

/** Errors have the format of Anthropic. */
const forMessages: RestRowOptions = {
  ...forProject,
  missing: '400 invalid_request_error',
  forbidden: '403 permission_error',
};

/** Routes in the formats of model providers. */
export const REST_CHAT_ROWS: RestRow[] = [
  row(
    'POST /v1/chat/completions',
    { action: 'chat.complete' },
    {},
    { ...forProject, body: () => ({ model: 'echo', messages: [{ role: 'user', content: 'cats' }] }) },
  ),
  row('GET /v1/models', { action: 'project.read' }, {}, forProject),
  row('GET /v1/models/{+model}', { action: 'project.read' }, { model: () => 'echo' }, forProject),
  row(
    'POST /v1/embeddings',
    { action: 'chat.complete' },
    {},
    { ...forProject, body: () => ({ model: 'echo', input: 'cats' }) },
  ),
  row(
    'POST /v1/responses',
    { action: 'chat.complete' },
    {},
    { ...forProject, body: () => ({ model: 'echo', input: 'cats' }) },
  ),
  row(
    'POST /v1/messages',
    { action: 'chat.complete' },
    {},
    {
      ...forMessages,
      body: () => ({ model: 'echo', max_tokens: 9, messages: [{ role: 'user', content: 'cats' }] }),
    },
  ),
];
