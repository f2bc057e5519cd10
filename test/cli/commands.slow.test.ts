import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { testEnvironment } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { joinProject } from '../support/members.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { cli, cliProcess } from './entry.js';

const COMMANDS =
  'user create, user update, user disable, user enable, user delete, user sign-in-link, user password-reset-link, key create, key list, key delete, key limit, key budget, limit user, limit project, seed, migrate, reconcile, audit export, maintenance on, maintenance off, openapi, schema, help';

describe('the command line', () => {
  it.each([
    ['an unknown command', ['frobnicate'], `Unknown command. The commands are: ${COMMANDS}.`],
    ['half a command', ['user'], `Unknown command. The commands are: ${COMMANDS}.`],
    ['an inherited name', ['constructor'], `Unknown command. The commands are: ${COMMANDS}.`],
    [
      'options without a command',
      ['--email', 'ada@example.com'],
      `The command line must start with a command. The commands are: ${COMMANDS}.`,
    ],
    [
      'an unknown option',
      ['key', 'create', '--colour', 'red'],
      'key create: an option is unknown. Usage: key create --email <address> --name <text>',
    ],
    [
      'a missing option',
      ['user', 'create', '--admin'],
      'user create: --email is required. Usage: user create --email <address> [--name <text>] [--admin]',
    ],
    [
      'an option without its value',
      ['seed', '--email'],
      'seed: an option has no value, or a flag has one. Usage: seed --email <address>',
    ],
    [
      'neither yes nor no',
      ['user', 'update', '--email', 'a@example.com', '--admin', 'maybe'],
      'user update: --admin takes yes or no.',
    ],
    [
      'a change of nothing',
      ['user', 'update', '--email', 'a@example.com'],
      'user update: nothing to change. Give an option, or PASSWORD in the environment.',
    ],
    [
      'a bad limit',
      ['key', 'limit', '--id', '1', '--limit', '-1x'],
      'key limit: an option has no value, or a flag has one. Usage: key limit --id <id> --limit <1-1000000|unlimited|default>',
    ],
    [
      'a limit out of range',
      ['key', 'limit', '--id', '1', '--limit', '0'],
      'key limit: --limit takes requests per minute (1-1000000), unlimited or default.',
    ],
    [
      'a bad budget',
      ['key', 'budget', '--id', '1', '--limit', '1e3'],
      'key budget: --limit takes US dollars, such as 25 or 0.5, or none.',
    ],
    [
      'a bad id',
      ['key', 'delete', '--id', '2147483648'],
      'key delete: --id takes the id of a key, as `key list` prints it.',
    ],
    [
      'an amount that is not a number',
      ['limit', 'user', '--email', 'a@example.com', '--usd', '-1x'],
      'limit user: an option has no value, or a flag has one. Usage: limit user --email <address> --usd <dollars|default>',
    ],
    [
      'an amount out of range',
      ['limit', 'project', '--id', '1', '--usd', '1e3'],
      'limit project: --usd takes US dollars (0-1000000000), such as 25 or 0.5, or default.',
    ],
    [
      'a project by a name',
      ['limit', 'project', '--id', 'one', '--usd', '1'],
      'limit project: --id takes the id of a project.',
    ],
    ['a bad email address', ['user', 'create', '--email', 'ada'], 'user create: --email takes an email address.'],
  ] satisfies [string, string[], string][])(
    'answers %s with one line and the exit code 2',
    async (_case, args, line) => {
      expect(await cli(args)).toEqual({ code: 2, stdout: '', stderr: `${line}\n` });
    },
  );

  it('exits with the code of the command, and writes the reason to the standard error', async () => {
    const answer = { code: 2, stdout: '', stderr: `Unknown command. The commands are: ${COMMANDS}.\n` };
    expect(await cliProcess(['frobnicate'])).toEqual(answer);
    const failed = await cliProcess(['migrate'], { DATABASE_URL: 'mysql://nowhere' });
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^DATABASE_URL: /) });
  });

  it('reports a fault of the configuration and exits with 1', async () => {
    const { code, stderr } = await cli(['migrate'], { DATABASE_URL: 'mysql://nowhere' });
    expect(code).toBe(1);
    expect(stderr).toBe('DATABASE_URL: got 15 characters, expected a postgresql:// URL\n');
  });

  it('lists its commands for help, --help and no command', async () => {
    const help = await cli(['help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const command of COMMANDS.split(', ')) expect(help.stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    expect(await cli([])).toEqual(help);
    expect(await cli(['--help'])).toEqual(help);
  });

  it('prints the usage of one command or a group of commands', async () => {
    const one = await cli(['user', 'create', '--email', 'x', '--help']);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(one.stdout).toContain('user create --email <address> [--name <text>] [--admin]');
    expect(one.stdout).not.toContain('key create');
    const { stdout } = await cli(['key', '-h']);
    expect(stdout.match(/^ {2}key \w+/gm)).toHaveLength(5);
  });

  it('writes its complete output into a pipe', async () => {
    expect(await cliProcess(['schema'])).toEqual({
      code: 0,
      stdout: readFileSync('schema.graphql', 'utf8'),
      stderr: '',
    });
  });

  it('prints the description of the REST API', async () => {
    const { code, stdout } = await cli(['openapi']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/v1/projects/': { get: { summary: 'List projects' } } },
    });
  });
});

describe('the commands that work on a database', () => {
  let environment: Record<string, string>;
  let database: string;
  beforeAll(async () => {
    database = await createDatabase();
    environment = testEnvironment(database);
  });

  async function withService<T>(work: (service: TestService) => Promise<T>): Promise<T> {
    const service = await startTestService({}, database);
    return work(service).finally(() => service.stop());
  }

  it('closes the API for maintenance and opens it again, while the service runs', async () => {
    await withService(async service => {
      const list = () => service.rest('GET', '/api/v1/projects/');
      const on = await cli(['maintenance', 'on', '--message', 'Back at noon.'], environment);
      expect(on).toEqual({ code: 0, stdout: 'The service is closed for maintenance.\n', stderr: '' });
      const closed = await eventually(list, ({ status }) => status === 503);
      expect(closed.body).toEqual({ detail: 'Back at noon.', code: 'unavailable' });
      const off = await cli(['maintenance', 'off'], environment);
      expect(off).toEqual({ code: 0, stdout: 'The service is open.\n', stderr: '' });
      await eventually(list, ({ status }) => status === 200);
    });
    const long = await cli(['maintenance', 'on', '--message', 'x'.repeat(501)], environment);
    expect(long).toMatchObject({ code: 1, stderr: 'message: Ensure this field has no more than 500 characters.\n' });
  });

  it('creates a user with a key that opens the API, and seeds a workflow that runs', async () => {
    const user = await cliProcess(['user', 'create', '--email', 'Grace@Example.com', '--name', 'Grace'], environment);
    expect(user).toMatchObject({ code: 0, stderr: '' });
    expect(user.stdout).toMatch(/^User grace@example\.com has the id \d+\.\npassword \(shown once\): \S{20}\n$/);

    const key = await cli(['key', 'create', '--email', 'grace@example.com', '--name', 'laptop'], environment);
    expect(key).toMatchObject({ code: 0, stderr: '' });
    expect(key.stdout).toMatch(/^sk-\S{43}\n$/);

    const seeded = await cli(['seed', '--email', 'grace@example.com'], environment);
    expect(seeded).toMatchObject({ code: 0, stderr: '' });
    expect(await cli(['seed', '--email', 'grace@example.com'], environment)).toEqual(seeded);
    const [, path, body] = /POST (\S+) (.+)$/m.exec(seeded.stdout) ?? [];

    await withService(async service => {
      const options = { key: key.stdout.trim() };
      const projects = await service.rest('GET', '/api/v1/projects/', options);
      expect(projects.body).toMatchObject({ total: 1, items: [{ name: 'Demo', can_edit: true }] });
      const run = await service.rest('POST', String(path), { ...options, body: JSON.parse(String(body)) });
      expect(run.body).toMatchObject({ status: 201 });
      const poll = () => service.rest('GET', `/api/v1/workflows/workflow_result/?id=${run.body.data.id}`, options);
      const polled = await eventually(poll, answer => answer.body.data.status === 'succeed');
      expect(polled.body.data.output).toBe('Where is my parcel?');
    });
  });

  it('seeds a project of the user, not one in which the user may not create workflows', async () => {
    const email = 'viewer@example.com';
    await cli(['user', 'create', '--email', email], environment);
    const shared = await withService(async service => {
      const { body } = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Demo' } });
      await joinProject(service, body.id, email, 'viewer');
      return body.id as number;
    });
    const seeded = await cli(['seed', '--email', email], environment);
    expect(seeded).toMatchObject({ code: 0, stderr: '' });
    expect(seeded.stdout).not.toContain(`Project ${shared} `);
    expect(await cli(['seed', '--email', email], environment)).toEqual(seeded);
  });

  it('takes the password from the environment and prints none', async () => {
    const args = ['user', 'create', '--email', 'root@example.com', '--admin'];
    const { code, stdout } = await cli(args, { ...environment, PASSWORD: 'battery staple' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Administrator root@example\.com has the id \d+\.\n$/);
    const again = await cli(args, { ...environment, PASSWORD: 'battery staple' });
    expect(again).toEqual({ code: 1, stdout: '', stderr: 'A user with this email already exists.\n' });
  });

  it('refuses a short password without repeating it', async () => {
    const args = ['user', 'create', '--email', 'short@example.com'];
    const { code, stderr } = await cli(args, { ...environment, PASSWORD: 'hunter2' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'PASSWORD: got 7 characters, expected at least 8.\n' });
  });

  it('lists, limits and deletes keys, and forbids a user to create more', async () => {
    const email = ['--email', 'lin@example.com'];
    await cli(['user', 'create', ...email], environment);
    const key = (await cli(['key', 'create', ...email, '--name', 'laptop'], environment)).stdout.trim();
    const listed = await cli(['key', 'list', ...email], environment);
    expect(listed.stdout).toMatch(/^\d+ {2}sk-\S{3}… {2}laptop {2}limit default {2}last used never\n$/);
    const [id = ''] = listed.stdout.split(' ');

    const limited = await cli(['key', 'limit', '--id', id, '--limit', '90'], environment);
    expect(limited).toEqual({ code: 0, stdout: `Key ${id} has the limit 90.\n`, stderr: '' });
    expect((await cli(['key', 'list', ...email], environment)).stdout).toContain('limit 90');
    const budget = await cli(['key', 'budget', '--id', id, '--limit', '0.50'], environment);
    expect(budget).toEqual({ code: 0, stdout: `Key ${id} has a budget of 0.50 US dollars.\n`, stderr: '' });
    expect((await cli(['key', 'list', ...email], environment)).stdout).toContain('  spent 0 of 0.5 US dollars  ');
    const freed = await cli(['key', 'budget', '--id', id, '--limit', 'none'], environment);
    expect(freed.stdout).toBe(`Key ${id} has no budget.\n`);

    const forbidden = await cli(['user', 'update', ...email, '--api', 'no', '--admin', 'yes'], environment);
    expect(forbidden.stdout).toBe('Administrator lin@example.com may not use API keys.\n');
    const refused = await cli(['key', 'create', ...email, '--name', 'other'], environment);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('must allow this user') });

    const deleted = await cli(['key', 'delete', '--id', id], environment);
    expect(deleted).toEqual({ code: 0, stdout: `Key ${id} is deleted.\n`, stderr: '' });
    const again = await cli(['key', 'delete', '--id', id], environment);
    expect(again).toMatchObject({ code: 1, stderr: 'No key has this id. `key list` prints the keys of a user.\n' });
    expect((await cli(['key', 'list', ...email], environment)).stdout).toBe('');

    await withService(async service => {
      expect((await service.rest('GET', '/api/v1/projects/', { key })).status).toBe(401);
      const log = await service.sql(
        `select action, via, user_id from audit_entry where object_type = 'api-key' and object_id = $1 order by id`,
        [id],
      );
      expect(log).toEqual(
        ['api-key.create', 'api-key.update', 'api-key.set-budget', 'api-key.set-budget', 'api-key.delete'].map(
          action => ({
            action,
            via: 'operator',
            user_id: null,
          }),
        ),
      );
    });
  });

  it('limits what a user and a project may spend, and lifts the limits again', async () => {
    await cli(['user', 'create', '--email', 'uma@example.com'], environment);
    const project = await withService(
      async service =>
        (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Limited' } })).body.id as number,
    );
    for (const [options, subject] of [
      [['user', '--email', 'uma@example.com'], 'User uma@example.com'],
      [['project', '--id', String(project)], `Project ${project}`],
    ] as const) {
      const limit = (usd: string) => cli(['limit', ...options, '--usd', usd], environment);
      const done = (stdout: string) => ({ code: 0, stdout: `${subject} ${stdout}\n`, stderr: '' });
      expect(await limit('0.50')).toEqual(done('has a limit of 0.5 US dollars; 0 are spent.'));
      expect(await limit('0')).toEqual(done('has a limit of 0 US dollars; 0 are spent.'));
      expect(await limit('default')).toEqual(done('has no limit.'));
    }
    expect(await cli(['limit', 'project', '--id', '2147483647', '--usd', '1'], environment)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No project has the id 2147483647.\n',
    });
  });

  it('sets a new password, which logs in', async () => {
    await cli(['user', 'create', '--email', 'mei@example.com'], { ...environment, PASSWORD: 'the first one' });
    const updated = await cli(['user', 'update', '--email', 'MEI@example.com', '--new-email', 'mei@example.org'], {
      ...environment,
      PASSWORD: 'the second one',
    });
    expect(updated).toEqual({ code: 0, stdout: 'User mei@example.org may use API keys.\n', stderr: '' });
    await withService(async service => {
      const login = (email: string, password: string) =>
        service.rest('POST', '/api/v1/token/', { key: null, body: { email, password } });
      expect((await login('mei@example.org', 'the second one')).status).toBe(200);
      expect((await login('mei@example.org', 'the first one')).status).toBe(401);
      expect((await login('mei@example.com', 'the second one')).status).toBe(401);
    });
  });

  it('disables, enables and deletes a user', async () => {
    await cli(['user', 'create', '--email', 'kim@example.com'], { ...environment, PASSWORD: 'the first one' });
    const run = async (command: string) =>
      (await cli(['user', command, '--email', 'kim@example.com'], environment)).stdout;
    expect(await run('disable')).toBe('User kim@example.com is disabled.\n');
    const logIn = () =>
      withService(async service => {
        const body = { email: 'kim@example.com', password: 'the first one' };
        return (await service.rest('POST', '/api/v1/token/', { key: null, body })).status;
      });
    expect(await logIn()).toBe(401);
    expect(await run('enable')).toBe('User kim@example.com is enabled.\n');
    expect(await logIn()).toBe(200);
    expect(await run('delete')).toMatch(/^User \d+ is deleted\. Runs and the ledger stay\.\n$/);
    expect(await logIn()).toBe(401);
  });

  it.each([
    ['key create', ['key', 'create', '--name', 'x']],
    ['key list', ['key', 'list']],
    ['user update', ['user', 'update', '--name', 'x']],
    ['user disable', ['user', 'disable']],
    ['user delete', ['user', 'delete']],
    ['limit user', ['limit', 'user', '--usd', '1']],
    ['seed', ['seed']],
  ] satisfies [string, string[]][])('reports by %s that no user has the email', async (_command, words) => {
    const answer = await cli([...words, '--email', 'nobody@example.com'], environment);
    expect(answer).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No user has this email. Create one by `user create`.\n',
    });
  });

  it('reports that a migrated database is up to date', async () => {
    const { code, stdout } = await cli(['migrate'], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The database is up to date: \w+\.\n$/);
  });
});
