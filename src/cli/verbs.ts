import { helpOf, type Verb } from './arguments.js';

const EMAIL = { value: 'address', required: true } as const;
const ID = { value: 'id', required: true } as const;

/** All verbs. Dependencies load when a verb runs, so `help` and `schema` need no database. */
export const VERBS: Record<string, Verb> = {
  'user create': {
    summary: 'create a user; the password is PASSWORD from the environment, or generated and shown once',
    options: { email: EMAIL, name: { value: 'text' }, admin: {} },
    run: async (options, context) => (await import('./user-create.js')).createUser(options, context),
  },
  'user update': {
    summary: 'change a user; PASSWORD from the environment becomes the password, and ends the sessions of the user',
    options: {
      email: EMAIL,
      'new-email': { value: 'address' },
      name: { value: 'text' },
      admin: { value: 'yes|no' },
      api: { value: 'yes|no' },
    },
    run: async (options, context) => (await import('./user-update.js')).updateUser(options, context),
  },
  'user disable': {
    summary: 'keep a user out: keys, sessions and logins open nothing; runs go on',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-state.js')).setUserDisabled(true, options, context),
  },
  'user enable': {
    summary: 'let a disabled user in again',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-state.js')).setUserDisabled(false, options, context),
  },
  'user delete': {
    summary: 'delete a user, who must own no project; runs and the ledger stay',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-state.js')).deleteUser(options, context),
  },
  'key create': {
    summary: 'create an API key of a user; it is shown once',
    options: { email: EMAIL, name: { value: 'text', required: true } },
    run: async (options, context) => (await import('./key-create.js')).createKey(options, context),
  },
  'key list': {
    summary: 'list the API keys of a user',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./keys.js')).listKeys(options, context),
  },
  'key delete': {
    summary: 'delete an API key: it opens nothing from now on',
    options: { id: ID },
    run: async (options, context) => (await import('./keys.js')).deleteKey(options, context),
  },
  'key limit': {
    summary: 'set the requests a minute that an API key may make',
    options: { id: ID, limit: { value: '1-1000000|unlimited|default', required: true } },
    run: async (options, context) => (await import('./keys.js')).limitKey(options, context),
  },
  'key budget': {
    summary: 'set what chat completions made with an API key may cost, in US dollars over its whole life',
    options: { id: ID, limit: { value: 'dollars|none', required: true } },
    run: async (options, context) => (await import('./keys.js')).setKeyBudget(options, context),
  },
  'limit user': {
    summary: 'set what a user may spend with the provider keys of the service, in US dollars over its whole life',
    options: { email: EMAIL, usd: { value: 'dollars|default', required: true } },
    run: async (options, context) => (await import('./limits.js')).limitUser(options, context),
  },
  'limit project': {
    summary: 'set what a project may spend with the provider keys of the service, in US dollars over its whole life',
    options: { id: ID, usd: { value: 'dollars|default', required: true } },
    run: async (options, context) => (await import('./limits.js')).limitProject(options, context),
  },
  seed: {
    summary: 'give a user a project with a workflow to try',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./seed.js')).seed(options, context),
  },
  migrate: {
    summary:
      'bring the database up to date, and create it in DATA_DIR where there is none; --allow-newer lets this release work on a schema that a newer one made, at your risk',
    options: { 'allow-newer': {} },
    run: async (options, context) => (await import('./migrate.js')).migrate(options, context),
  },
  reconcile: {
    summary:
      'prove that the totals of projects, API keys and runs equal the ledger; 1 when not. --fix corrects the totals',
    options: { fix: {} },
    run: async (options, context) => (await import('./reconcile.js')).reconcile(options, context),
  },
  'audit export': {
    summary:
      'write the audit log before a day to a new file, one JSON object a line; --prune removes it from the database',
    options: { before: { value: 'YYYY-MM-DD', required: true }, file: { value: 'path', required: true }, prune: {} },
    run: async (options, context) => (await import('./audit-export.js')).exportAudit(options, context),
  },
  'maintenance on': {
    summary: 'answer API requests with 503 and the message until `maintenance off`; runs go on',
    options: { message: { value: 'text' } },
    run: async (options, context) => (await import('./maintenance.js')).setMaintenance(true, options, context),
  },
  'maintenance off': {
    summary: 'open the API again',
    options: {},
    run: async (options, context) => (await import('./maintenance.js')).setMaintenance(false, options, context),
  },
  openapi: {
    summary: 'print the description of the REST API (OpenAPI 3.1)',
    options: {},
    run: async (_options, { print }) => {
      const { default: openapi } = await import('../../rest-compat/generated/openapi.json', { with: { type: 'json' } });
      print(JSON.stringify(openapi, null, 2));
    },
  },
  schema: {
    summary: 'print the GraphQL schema',
    options: {},
    run: async (_options, { print }) => {
      const { printScenariumSchema } = await import('../graphql/emit.js');
      print(printScenariumSchema().trimEnd());
    },
  },
  help: {
    summary: 'print this list',
    options: {},
    run: async (_options, { print }) => {
      print(helpOf(VERBS));
    },
  },
};
