import type { Place } from './places/places.js';
import { type GraphQLRow, type GraphQLRowOptions, graphqlRow as row } from './rows.js';

/** An input member that names an object the caller cannot access is a bad value. */
const named: GraphQLRowOptions = { missing: 'BAD_USER_INPUT' };
const ofProject = (place: Place) => ({ projectId: place.project });
const key = (place: Place) => ({ id: place.providerkey });
const request = { model: 'echo', messages: [{ role: 'user', content: 'cats' }] };

const input = { model: 'echo', input: 'cats' };

/** Chat completions and other calls of models, and the provider keys of projects. */
export const GRAPHQL_CHAT_ROWS: GraphQLRow[] = [
  row('chatModels', { action: 'project.read' }, ofProject, named),
  row('chatTransactions', { action: 'project.read' }, ofProject),
  row('chatCompletionCreate', { action: 'chat.complete' }, place => ({ request, ...ofProject(place) }), named),
  row('chatModel', { action: 'project.read' }, place => ({ id: 'echo', ...ofProject(place) }), named),
  row('embeddingsCreate', { action: 'chat.complete' }, place => ({ request: input, ...ofProject(place) }), named),
  row('modelResponseCreate', { action: 'chat.complete' }, place => ({ request: input, ...ofProject(place) }), named),
  row(
    'modelMessageCreate',
    { action: 'chat.complete' },
    place => ({ request: { ...request, max_tokens: 9 }, ...ofProject(place) }),
    named,
  ),
  row('providerKeyAttach', { action: 'provider-key.attach' }, place => ({
    ...ofProject(place),
    input: { provider: 'OPENAI', name: 'New', key: 'sk-0123456789' },
  })),
  row('providerKeyTest', { action: 'provider-key.test' }, key),
  row('providerKeyDetach', { action: 'provider-key.detach' }, key),
];
