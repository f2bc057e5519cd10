import type { Place } from './places/places.js';
import { type RestMore, type RestRow, restRow as row } from './rows.js';

/** A project that the header names is a bad value when it is not the caller's. */
const forProject: RestMore = {
  headers: ({ project }: Place) => ({ 'X-Project-Id': String(project) }),
  namesSomething: true,
  missing: '400 invalid_value',
};

/** What speaks the chat format. */
export const REST_CHAT_ROWS: RestRow[] = [
  row(
    'POST /v1/chat/completions',
    { action: 'chat.complete' },
    {},
    { ...forProject, body: () => ({ model: 'echo', messages: [{ role: 'user', content: 'cats' }] }) },
  ),
  row('GET /v1/models', { action: 'project.read' }, {}, forProject),
];
