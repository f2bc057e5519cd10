import type { TestService } from './service.js';

/** Writes the role of the user with `email` in a project, in place of the present one. A new owner replaces the previous one. */
export async function setRole(service: TestService, project: number, email: string, role: string): Promise<void> {
  // A constraint allows one owner per project.
  if (role === 'owner')
    await service.sql(`update project_member set role = 'admin' where project_id = $1 and role = 'owner'`, [project]);
  await service.sql(
    `insert into project_member (project_id, user_id, role) select $1, id, $3 from app_user where email = $2
     on conflict (user_id, project_id) do update set role = excluded.role`,
    [project, email, role],
  );
}

/**
 * Adds the user with `email` as a member without an invitation, and returns the member. `key`: of an administrator of the
 * service; default: the first one.
 */
export async function joinProject(service: TestService, project: number, email: string, role: string, key?: string) {
  const { status, body } = await service.rest('POST', `/api/v1/projects/${project}/members/`, {
    body: { email, role },
    ...(key === undefined ? {} : { key }),
  });
  if (status !== 201) throw new Error(`adding a member answered ${status}: ${JSON.stringify(body)}`);
  return body as { id: number; user: number; email: string; role: string };
}
