import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InvitationRetention } from '../../src/modules/projects/members/invitation-retention.js';
import { startTestService, type TestService } from '../support/service.js';
import { bytesOf } from './bytes-of.js';
import { restAsDeclared } from './declared-answers.js';

type Person = { email: string; key: string };

let service: TestService;
let owner: Person;
let guest: Person;
let project: number;

beforeAll(async () => {
  service = await startTestService({ role: 'api' });
  [owner, guest] = [await service.createUser('owner'), await service.createUser('guest')];
});
afterAll(() => service?.stop());

beforeEach(async () => {
  await service.sql('delete from project_invitation');
  project = (await service.rest('POST', '/api/v1/projects/', { key: owner.key, body: { name: 'Team' } })).body.id;
});

const rest = (who: Person, method: string, path: string, body?: unknown) =>
  restAsDeclared(service, method, `/api/v1/${path}`, { key: who.key, body });
const invite = (email: string, role = 'editor', who = owner) =>
  rest(who, 'POST', `projects/${project}/invitations/`, { email, role });
const pending = async () => (await rest(owner, 'GET', `projects/${project}/invitations/`)).body;
const received = async (who: Person) => (await rest(who, 'GET', 'invitations/')).body;
const seesProject = async (who: Person) => (await rest(who, 'GET', `projects/${project}/`)).status === 200;

describe('an invitation', () => {
  it('is pending for the admins and for the invited person until it is accepted', async () => {
    const { status, body } = await invite(' Guest@Example.com');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      project,
      project_name: 'Team',
      email: guest.email,
      role: 'editor',
      invited_by: owner.email,
    });
    expect((await pending()).items).toEqual([body]);
    expect((await received(guest)).items).toEqual([body]);
    expect((await received(owner)).items).toEqual([]);
    expect(await seesProject(guest)).toBe(false);
    const accepted = await rest(guest, 'POST', `invitations/${body.id}/accept/`);
    expect(accepted).toMatchObject({ status: 200, body: { email: guest.email, role: 'editor' } });
    expect(await seesProject(guest)).toBe(true);
    expect((await pending()).total).toBe(0);
    expect((await rest(guest, 'POST', `invitations/${body.id}/accept/`)).status).toBe(404);
  });

  it('is declined without becoming a member, and may be created again', async () => {
    const { id } = (await invite(guest.email)).body;
    expect((await rest(guest, 'POST', `invitations/${id}/decline/`)).status).toBe(204);
    expect([(await pending()).total, (await received(guest)).total]).toEqual([0, 0]);
    expect((await rest(guest, 'POST', `invitations/${id}/accept/`)).status).toBe(404);
    expect(await seesProject(guest)).toBe(false);
    expect((await invite(guest.email)).status).toBe(201);
  });

  it('is revoked only under its own project', async () => {
    const { id } = (await invite(guest.email)).body;
    const other = (await rest(owner, 'POST', 'projects/', { name: 'Other' })).body.id;
    expect((await rest(owner, 'DELETE', `projects/${other}/invitations/${id}/`)).status).toBe(404);
    expect((await rest(owner, 'DELETE', `projects/${project}/invitations/${id}/`)).status).toBe(204);
    expect((await rest(guest, 'POST', `invitations/${id}/accept/`)).status).toBe(404);
    expect(await seesProject(guest)).toBe(false);
  });

  it('is accepted only by the invited person, even if others know its id', async () => {
    const { id } = (await invite(guest.email)).body;
    for (const who of [owner, { email: '', key: service.key }])
      for (const verb of ['accept', 'decline'])
        expect((await rest(who, 'POST', `invitations/${id}/${verb}/`)).status).toBe(404);
    expect((await pending()).total).toBe(1);
  });

  it('waits for an email that has no account yet', async () => {
    const { id } = (await invite('late@example.com', 'viewer')).body;
    const late = await service.createUser('late');
    expect((await received(late)).items).toMatchObject([{ id, role: 'viewer' }]);
    expect((await rest(late, 'POST', `invitations/${id}/accept/`)).body.role).toBe('viewer');
  });

  it('is renewed, not duplicated, by another one, also at the same time', async () => {
    await Promise.all(['viewer', 'editor', 'viewer', 'editor'].map(role => invite(guest.email, role)));
    await service.sql(`update project_invitation set expires_at = now() + interval '1 hour'`);
    const { body } = await invite(guest.email, 'admin');
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(13 * 86_400_000);
    expect((await pending()).items).toEqual([expect.objectContaining({ id: body.id, role: 'admin' })]);
  });

  it('expires, and is deleted then', async () => {
    const { id } = (await invite(guest.email)).body;
    await service.sql(`update project_invitation set expires_at = now() - interval '1 second'`);
    expect([(await pending()).total, (await received(guest)).total]).toEqual([0, 0]);
    expect((await rest(guest, 'POST', `invitations/${id}/accept/`)).status).toBe(404);
    await new InvitationRetention({ query: service.sql } as never).run();
    expect(await service.sql('select 1 from project_invitation')).toEqual([]);
  });

  it('is removed when an administrator adds the person', async () => {
    await invite(guest.email);
    const added = await service.rest('POST', `/api/v1/projects/${project}/members/`, {
      body: { email: guest.email, role: 'viewer' },
    });
    expect(added.status).toBe(201);
    expect((await received(guest)).total).toBe(0);
  });

  it('is accepted once by simultaneous requests', async () => {
    const { id } = (await invite(guest.email)).body;
    const answers = await Promise.all([1, 2, 3, 4].map(() => rest(guest, 'POST', `invitations/${id}/accept/`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  });

  it('is limited to 100 per project', async () => {
    await service.sql(
      `insert into project_invitation (project_id, email, role, expires_at)
       select $1, 'guest-' || n || '@example.com', 'viewer', now() + interval '1 day' from generate_series(1, 100) n`,
      [project],
    );
    expect((await invite(guest.email)).status).toBe(409);
    expect((await invite('guest-7@example.com')).status).toBe(201);
    await service.sql(`update project_invitation set expires_at = now() where email = 'guest-8@example.com'`);
    expect((await invite(guest.email)).status).toBe(201);
  });

  it('is limited to 1,000 per inviter, also when several are created at the same time', async () => {
    const others = await Promise.all(['B', 'C'].map(name => rest(owner, 'POST', 'projects/', { name })));
    await service.sql(
      `insert into project_invitation (project_id, email, role, invited_by_id, expires_at)
       select $1, 'guest-' || n || '@example.com', 'viewer', (select id from app_user where email = $2), now() + interval '1 day'
         from generate_series(1, 999) n`,
      [project, owner.email],
    );
    const answers = await Promise.all(
      others.map(({ body: { id } }) =>
        rest(owner, 'POST', `projects/${id}/invitations/`, { email: guest.email, role: 'viewer' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it('is listed after older ones, also by its last renewal', async () => {
    const [first, second] = [(await invite('a@example.com')).body.id, (await invite('b@example.com')).body.id];
    const ids = async () => (await pending()).items.map(({ id }: { id: number }) => id);
    await service.sql(`update project_invitation set created_at = now() - interval '1 minute'`);
    expect(await ids()).toEqual([first, second]);
    await invite('a@example.com');
    expect(await ids()).toEqual([second, first]);
  });

  it('is in the audit log of the project from end to end', async () => {
    const { id } = (await invite(guest.email)).body;
    await rest(guest, 'POST', `invitations/${id}/accept/`);
    const [member] = await service.sql(
      'select m.id from project_member m join app_user u on u.id = m.user_id where m.project_id = $1 and u.email = $2',
      [project, guest.email],
    );
    await rest(owner, 'DELETE', `projects/${project}/members/${member?.id}/`);
    const next = (await invite(guest.email)).body.id;
    await rest(guest, 'POST', `invitations/${next}/decline/`);
    const last = (await invite(guest.email)).body.id;
    await rest(owner, 'DELETE', `projects/${project}/invitations/${last}/`);
    const entries = await service.sql(
      `select action, user_email as by from audit_entry where project_id = $1 and action like 'invitation.%' order by id`,
      [project],
    );
    expect(entries).toEqual([
      { action: 'invitation.create', by: owner.email },
      { action: 'invitation.accept', by: guest.email },
      { action: 'invitation.create', by: owner.email },
      { action: 'invitation.decline', by: guest.email },
      { action: 'invitation.create', by: owner.email },
      { action: 'invitation.revoke', by: owner.email },
    ]);
  });
});

describe('an invitation reveals nothing', () => {
  it('of which emails have an account: the answers differ only in the email', async () => {
    for (const path of ['invitations', 'members']) {
      const bodies = [];
      for (const email of [guest.email, 'ghost@example.com']) {
        const { status, body } = await rest(owner, 'POST', `projects/${project}/${path}/`, { email, role: 'viewer' });
        const { id, created_at, expires_at, ...shown } = body;
        bodies.push({ status, ...shown, email: email === body.email });
      }
      expect(bodies[0]).toEqual(bodies[1]);
    }
  });

  it.each(['no address', '', 'a@b', 'x\u0000@example.com', `${'x'.repeat(250)}@example.com`])(
    'and %j is refused only for its form',
    async email => {
      expect(await invite(email)).toMatchObject({ status: 400, body: { email: [expect.any(String)] } });
    },
  );

  it('to outsiders: a project that they cannot access is answered like one that does not exist', async () => {
    const { id } = (await invite('somebody@example.com')).body;
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { email: guest.email, role: 'admin' }],
      ['DELETE', `${id}/`, undefined],
    ] as const) {
      const ask = (where: number) =>
        bytesOf(service, method, `/api/v1/projects/${where}/invitations/${path}`, { key: guest.key, body });
      expect(await ask(project)).toEqual(await ask(2_000_000_000));
    }
  });
});
