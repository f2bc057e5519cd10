import type { TestService } from './service.js';

/**
 * Makes the user with `email` a member at once, as an administrator of the service may: the first one, or the one whose key
 * is given. Returns the member.
 */
export async function joinProject(service: TestService, project: number, email: string, role: string, key?: string) {
  const { status, body } = await service.rest('POST', `/api/v1/projects/${project}/members/`, {
    body: { email, role },
    ...(key === undefined ? {} : { key }),
  });
  if (status !== 201) throw new Error(`adding a member answered ${status}: ${JSON.stringify(body)}`);
  return body as { id: number; user: number; email: string; role: string };
}
