import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/modules/accounts/viewer.js';
import { assertAllowed, isVisible, ProjectAccess, viewersRole } from '../../src/modules/projects/access.js';
import { ensureOwnProject } from '../../src/modules/projects/own-project.js';
import type { ProjectTables } from '../../src/modules/projects/project-tables.js';
import type { ProjectRole } from '../../src/modules/projects/rights.js';
import type { Database } from '../../src/platform/database/database.js';
import { anyInt, queryBuilder } from '../../src/platform/database/typed-queries.js';
import { ForbiddenError, InvalidInputError, NotFoundError } from '../../src/platform/errors/errors.js';
import { openDatabase } from '../support/database.js';

const NOWHERE = 2_000_000_000;

let database: Database;
let access: ProjectAccess;
/** Two projects; Ann owns the first and views the second, Ben edits the second, Cem is a member of none. */
let first: number;
let second: number;
let ann: Viewer;
let ben: Viewer;
let cem: Viewer;
let root: Viewer;

beforeAll(async () => {
  database = await openDatabase();
  access = new ProjectAccess(database);
  [first, second] = [
    await idOf(`insert into project (name) values ('first')`),
    await idOf(`insert into project (name) values ('second')`),
  ];
  [ann, ben, cem] = [await user('ann'), await user('ben'), await user('cem')];
  root = { ...(await user('root')), isAdmin: true };
  await member(second, ann, 'viewer');
  await member(first, ann, 'owner');
  await member(second, ben, 'editor');
});
afterAll(() => database.close());

async function idOf(statement: string, values: unknown[] = []): Promise<number> {
  const [row] = await database.query<{ id: number }>(`${statement} returning id`, values);
  return row!.id;
}

async function user(name: string): Promise<Viewer> {
  return { userId: await idOf('insert into app_user (email) values ($1)', [name]), isAdmin: false, via: 'key' };
}

const member = (project: number, { userId }: Viewer, role: ProjectRole) =>
  database.query('insert into project_member (project_id, user_id, role) values ($1, $2, $3)', [project, userId, role]);

describe('the role in a project', () => {
  it('is returned for each requested project in their order, and is null for those the viewer cannot access', async () => {
    expect(await access.rolesIn(ann, [second, first, NOWHERE, second])).toEqual(['viewer', 'owner', null, 'viewer']);
    expect(await access.rolesIn(ben, [first, second])).toEqual([null, 'editor']);
    expect(await access.rolesIn(cem, [first, second])).toEqual([null, null]);
  });

  it('is owner for an administrator, in projects that exist', async () => {
    expect(await access.rolesIn(root, [first, NOWHERE, second])).toEqual(['owner', null, 'owner']);
  });

  it('is read in the transaction of the caller', async () => {
    await database.transaction(async sql => {
      await sql.query('update project_member set role = $1 where user_id = $2', ['admin', ben.userId]);
      expect(await access.rolesIn(ben, [second], sql)).toEqual(['admin']);
      expect(await access.rolesIn(ben, [second])).toEqual(['editor']);
      await access.authorize(ben, second, 'project.update', sql);
      await expect(access.authorize(ben, second, 'project.update')).rejects.toThrow(ForbiddenError);
      await sql.query('update project_member set role = $1 where user_id = $2', ['editor', ben.userId]);
    });
  });
});

describe('an action in a project', () => {
  it('is allowed for roles that have the right, and for no other', async () => {
    await access.authorize(ann, first, 'project.delete');
    await access.authorize(ben, second, 'workflow.run');
    await access.authorize(root, second, 'project.delete');
    await expect(access.authorize(ann, second, 'workflow.run')).rejects.toThrow(ForbiddenError);
    await expect(access.authorize(ben, second, 'project.update')).rejects.toThrow(ForbiddenError);
  });

  it('is not found for an outsider, as in a project that does not exist', async () => {
    await expect(access.authorize(cem, first, 'project.read')).rejects.toThrow(NotFoundError);
    await expect(access.authorize(ben, first, 'project.read')).rejects.toThrow(NotFoundError);
    await expect(access.authorize(root, NOWHERE, 'project.read')).rejects.toThrow(NotFoundError);
  });

  it('names the bad project when an input names one that the viewer cannot access', async () => {
    const refused = access.authorizeNamed(cem, first, 'workflow.create');
    await expect(refused).rejects.toThrow(InvalidInputError);
    await expect(refused).rejects.toMatchObject({ extensions: { fields: { projectId: ['Object does not exist.'] } } });
    await expect(access.authorizeNamed(ann, second, 'workflow.create')).rejects.toThrow(ForbiddenError);
    await access.authorizeNamed(ben, second, 'workflow.create');
  });

  it('is checked against a role that was loaded before', () => {
    expect(() => assertAllowed(null, 'project.read')).toThrow(NotFoundError);
    expect(() => assertAllowed('viewer', 'workflow.run')).toThrow(ForbiddenError);
    expect(() => assertAllowed('editor', 'workflow.run')).not.toThrow();
  });
});

describe('the project of a request that names none', () => {
  it('is the oldest that the viewer owns, never one of another owner', async () => {
    expect(await ensureOwnProject(database, ann)).toBe(first);
    const own = await ensureOwnProject(database, ben);
    expect(own).not.toBe(second);
    expect(await access.rolesIn(ben, [own])).toEqual(['owner']);
    expect(await ensureOwnProject(database, ben)).toBe(own);
  });

  it('is created once when several requests of a user without one come at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => ensureOwnProject(database, cem)));
    expect(new Set(ids).size).toBe(1);
    const owned = 'select project_id from project_member where user_id = $1';
    expect(await database.query(owned, [cem.userId])).toEqual([{ project_id: ids[0] }]);
    const entries = `select project_id from audit_entry where action = 'project.create-personal' and user_id = $1`;
    expect(await database.query(entries, [cem.userId])).toEqual([{ project_id: ids[0] }]);
  });

  it('is not created for callers without a user', async () => {
    await expect(ensureOwnProject(database, { userId: 0, isAdmin: true, via: 'operator' })).rejects.toThrow(
      NotFoundError,
    );
  });
});

describe('access checks in SQL', () => {
  const projects = () =>
    queryBuilder<ProjectTables>(database)
      .selectFrom('project as p')
      .where('p.id', '=', anyInt([first, second]))
      .orderBy('p.id');

  it('the role is selected together with the row', async () => {
    const roles = (viewer: Viewer) => projects().select(viewersRole(viewer, 'p.id').as('role')).execute();
    expect(await roles(ann)).toEqual([{ role: 'owner' }, { role: 'viewer' }]);
    expect(await roles(ben)).toEqual([{ role: null }, { role: 'editor' }]);
    expect(await roles(root)).toEqual([{ role: 'owner' }, { role: 'owner' }]);
  });

  it('rows that the viewer cannot access are left out', async () => {
    const visible = (viewer: Viewer) => projects().select(isVisible(viewer, 'p.id').as('visible')).execute();
    expect(await visible(ann)).toEqual([{ visible: true }, { visible: true }]);
    expect(await visible(ben)).toEqual([{ visible: false }, { visible: true }]);
    expect(await visible(cem)).toEqual([{ visible: false }, { visible: false }]);
    expect(await visible(root)).toEqual([{ visible: true }, { visible: true }]);
  });
});
