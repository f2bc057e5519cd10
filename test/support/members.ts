import type { TestService } from './service.js';

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
