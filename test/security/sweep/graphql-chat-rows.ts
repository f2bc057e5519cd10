import type { Place } from './places/places.js';
import { type GraphQLMore, type GraphQLRow, graphqlRow as row } from './rows.js';

/** An object that an input names is a bad value of the member when it is not the caller's. */
const named: GraphQLMore = { missing: 'BAD_USER_INPUT' };
const ofProject = (place: Place) => ({ projectId: place.project });
const key = (place: Place) => ({ id: place.providerkey });
const request = { model: 'echo', messages: [{ role: 'user', content: 'cats' }] };

/** Chat completions, and the keys that projects bring for them. */
export const GRAPHQL_CHAT_ROWS: GraphQLRow[] = [
  row('chatModels', { action: 'project.read' }, ofProject, named),
  row('chatTransactions', { action: 'project.read' }, ofProject),
  row('chatCompletionCreate', { action: 'chat.complete' }, place => ({ request, ...ofProject(place) }), named),
  row('providerKeyAttach', { action: 'provider-key.attach' }, place => ({
    ...ofProject(place),
    input: { provider: 'OPENAI', name: 'New', key: 'sk-0123456789' },
  })),
  row('providerKeyTest', { action: 'provider-key.test' }, key),
  row('providerKeyDetach', { action: 'provider-key.detach' }, key),
];
