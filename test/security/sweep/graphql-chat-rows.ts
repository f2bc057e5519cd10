import type { Fixture } from './fixtures/fixtures.js';
import { BAD_INPUT_IF_MISSING, type GraphQLRow, graphqlRow as row } from './rows.js';

const ofProject = (fixture: Fixture) => ({ projectId: fixture.project });
const key = (fixture: Fixture) => ({ id: fixture.providerkey });
const chatRequest = { model: 'echo', messages: [{ role: 'user', content: 'cats' }] };
const inputRequest = { model: 'echo', input: 'cats' };

/** Chat completions and other calls of models, and the provider keys of projects. */
export const GRAPHQL_CHAT_ROWS: GraphQLRow[] = [
  row('chatModels', { action: 'project.read' }, ofProject, BAD_INPUT_IF_MISSING),
  row('chatTransactions', { action: 'project.read' }, ofProject),
  row(
    'chatCompletionCreate',
    { action: 'chat.complete' },
    fixture => ({ request: chatRequest, ...ofProject(fixture) }),
    BAD_INPUT_IF_MISSING,
  ),
  row(
    'chatModel',
    { action: 'project.read' },
    fixture => ({ id: 'echo', ...ofProject(fixture) }),
    BAD_INPUT_IF_MISSING,
  ),
  row(
    'embeddingsCreate',
    { action: 'chat.complete' },
    fixture => ({ request: inputRequest, ...ofProject(fixture) }),
    BAD_INPUT_IF_MISSING,
  ),
  row(
    'modelResponseCreate',
    { action: 'chat.complete' },
    fixture => ({ request: inputRequest, ...ofProject(fixture) }),
    BAD_INPUT_IF_MISSING,
  ),
  row(
    'modelMessageCreate',
    { action: 'chat.complete' },
    fixture => ({ request: { ...chatRequest, max_tokens: 9 }, ...ofProject(fixture) }),
    BAD_INPUT_IF_MISSING,
  ),
  row('providerKeyAttach', { action: 'provider-key.attach' }, fixture => ({
    ...ofProject(fixture),
    input: { provider: 'OPENAI', name: 'New', key: 'sk-0123456789' },
  })),
  row('providerKeyTest', { action: 'provider-key.test' }, key),
  row('providerKeyDetach', { action: 'provider-key.detach' }, key),
];
