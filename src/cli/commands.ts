import { type Command, helpOf } from './arguments.js';

const EMAIL = { value: 'address', required: true } as const;
const ID = { value: 'id', required: true } as const;

/** All commands. Dependencies load when a command runs, so `help` and `schema` need no database. */
export const COMMANDS: Record<string, Command> = {
  'user create': {
    summary: 'create a user; the password comes from the variable PASSWORD, or is generated and shown once',
    options: { email: EMAIL, name: { value: 'text' }, admin: {} },
    run: async (options, context) => (await import('./user-create.js')).createUser(options, context),
  },
  'user update': {
    summary: 'change a user; the variable PASSWORD sets a new password and ends all sessions of the user',
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
    summary: 'disable a user: keys, sessions and logins are rejected; active runs continue',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-state.js')).setUserDisabled(true, options, context),
  },
  'user enable': {
    summary: 'enable a disabled user',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-state.js')).setUserDisabled(false, options, context),
  },
  'user delete': {
    summary: 'delete a user who owns no project; runs and ledger entries stay',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-state.js')).deleteUser(options, context),
  },
  'user sign-in-link': {
    summary: 'print the address of the console that logs a user in once, within 30 minutes',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-links.js')).createSignInLink(options, context),
  },
  'user password-reset-link': {
    summary: 'print the address of the console where a user sets a new password once, within 24 hours',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./user-links.js')).createResetLink(options, context),
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
    summary: 'delete an API key; it is rejected from now on',
    options: { id: ID },
    run: async (options, context) => (await import('./keys.js')).deleteKey(options, context),
  },
  'key limit': {
    summary: 'set the maximum requests per minute of an API key',
    options: { id: ID, limit: { value: '1-1000000|unlimited|default', required: true } },
    run: async (options, context) => (await import('./keys.js')).limitKey(options, context),
  },
  'key budget': {
    summary: 'set the spending limit of an API key for chat completions, in US dollars over its lifetime',
    options: { id: ID, limit: { value: 'dollars|none', required: true } },
    run: async (options, context) => (await import('./keys.js')).setKeyBudget(options, context),
  },
  'limit user': {
    summary: 'set the spending limit of a user for service-owned provider keys, in US dollars over its lifetime',
    options: { email: EMAIL, usd: { value: 'dollars|default', required: true } },
    run: async (options, context) => (await import('./limits.js')).limitUser(options, context),
  },
  'limit project': {
    summary: 'set the spending limit of a project for service-owned provider keys, in US dollars over its lifetime',
    options: { id: ID, usd: { value: 'dollars|default', required: true } },
    run: async (options, context) => (await import('./limits.js')).limitProject(options, context),
  },
  seed: {
    summary: 'create a sample project with a workflow for a user',
    options: { email: EMAIL },
    run: async (options, context) => (await import('./seed.js')).seed(options, context),
  },
  migrate: {
    summary:
      'apply pending migrations, and create the database in DATA_DIR if it does not exist; --allow-newer accepts the schema of a newer release, at your own risk',
    options: { 'allow-newer': {} },
    run: async (options, context) => (await import('./migrate.js')).migrate(options, context),
  },
  reconcile: {
    summary:
      'check that the totals of projects, API keys and runs equal the ledger; exit code 1 if not; --fix corrects the totals',
    options: { fix: {} },
    run: async (options, context) => (await import('./reconcile.js')).reconcile(options, context),
  },
  'audit export': {
    summary:
      'write audit log entries from before a day to a new file, one JSON object per line; --prune deletes them from the database',
    options: { before: { value: 'YYYY-MM-DD', required: true }, file: { value: 'path', required: true }, prune: {} },
    run: async (options, context) => (await import('./audit-export.js')).exportAudit(options, context),
  },
  'maintenance on': {
    summary: 'return 503 and the message for API requests until `maintenance off`; runs continue',
    options: { message: { value: 'text' } },
    run: async (options, context) => (await import('./maintenance.js')).setMaintenance(true, options, context),
  },
  'maintenance off': {
    summary: 'end maintenance and accept API requests again',
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
      print(helpOf(COMMANDS));
    },
  },
};
