import type { TestService } from './service.js';

export const PASSWORD = 'a password of twenty characters';

export interface Login {
  id: number;
  email: string;
  access: string;
  refresh: string;
}

/** Creates a user and logs in. */
export async function createLogin(service: TestService, name: string, more: Record<string, unknown> = {}) {
  const input = { email: `${name}@example.com`, password: PASSWORD, name, isApiAllowed: true, ...more };
  const { data } = await service.graphql(
    'mutation ($input: UserCreateInput!) { userCreate(input: $input) { user { id email } } }',
    { input },
  );
  return {
    ...(data.userCreate.user as { id: number; email: string }),
    ...(await logIn(service, input.email)),
  } as Login;
}

export async function logIn(service: TestService, email: string, password = PASSWORD) {
  const { status, body } = await service.rest('POST', '/api/v1/token/', { key: null, body: { email, password } });
  if (status !== 200) throw new Error(`logging in answered ${status}: ${JSON.stringify(body)}`);
  return body as { access: string; refresh: string };
}

export function bearer(token: string) {
  return { key: null, headers: { Authorization: `Bearer ${token}` } };
}
