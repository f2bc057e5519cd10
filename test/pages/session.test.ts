import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { logIn, type SendOperation } from '../../pages/identity/session.js';

/** A token that lives 15 minutes. The service's clock is years behind ours. */
function tokens(number: number) {
  const payload = Buffer.from(JSON.stringify({ iat: 1_000, exp: 1_900, who: '>>>???' })).toString('base64url');
  return { access: `head.${payload}.${number}`, refresh: `refresh ${number}` };
}

/** A service that answers as the test says, and records the requests. */
function service(...answers: (Awaited<ReturnType<SendOperation>> | Error)[]) {
  const sent: [mutation: string | undefined, variables: Record<string, string>, isUnloading: boolean | undefined][] =
    [];
  const send: SendOperation = async (query, variables, isUnloading) => {
    sent.push([/session\w+/.exec(query)?.[0], variables, isUnloading]);
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('too many requests');
    return answer;
  };
  return { send, sent };
}

const created = { data: { sessionCreate: { session: tokens(1) } } };
const renewed = (number: number) => ({ data: { sessionRefresh: { session: tokens(number) } } });
const refused = { errors: [{ message: 'Over.', extensions: { code: 'UNAUTHENTICATED' } }] };
const onEnd = jest.fn();
const pass = (minutes: number) => jest.setSystemTime(Date.now() + minutes * 60_000);

describe("GraphiQL's session", () => {
  afterEach(() => {
    jest.useRealTimers();
    onEnd.mockClear();
  });
  const open = async (...answers: Parameters<typeof service>) => {
    jest.useFakeTimers();
    const { send, sent } = service(created, ...answers);
    const session = await logIn(send, 'ada@example.com', 'secret', onEnd);
    return { session, sent };
  };

  test('uses its token until shortly before the end of it', async () => {
    const { session, sent } = await open(renewed(2));
    expect(await session.access()).toBe(tokens(1).access);
    pass(14);
    expect(await session.access()).toBe(tokens(1).access);
    expect(sent).toEqual([['sessionCreate', { email: 'ada@example.com', password: 'secret' }, undefined]]);
    pass(0.5);
    expect(await session.access()).toBe(tokens(2).access);
    expect(sent[1]).toEqual(['sessionRefresh', { refresh: 'refresh 1' }, undefined]);
  });

  test('spends each refresh token once, however many callers need it at the same time', async () => {
    const { session, sent } = await open(renewed(2), renewed(3));
    pass(20);
    const both = await Promise.all([session.access(), session.access()]);
    expect(both).toEqual([tokens(2).access, tokens(2).access]);
    pass(20);
    expect(await session.access()).toBe(tokens(3).access);
    expect(sent.slice(1).map(([, variables]) => variables.refresh)).toEqual(['refresh 1', 'refresh 2']);
  });

  test('ends when it cannot be renewed, and reports that once', async () => {
    const { session, sent } = await open(refused);
    pass(20);
    expect(await session.access()).toBeNull();
    expect(await session.access()).toBeNull();
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(sent).toHaveLength(2);
  });

  test('survives a network that is unavailable for a while', async () => {
    const { session } = await open(new Error('Failed to fetch'), renewed(2));
    pass(20);
    await expect(session.access()).rejects.toThrow('Failed to fetch');
    expect(await session.access()).toBe(tokens(2).access);
    expect(onEnd).not.toHaveBeenCalled();
  });

  test('ends with its newest token, and gives none from then on', async () => {
    const { session, sent } = await open(renewed(2), { data: {} });
    pass(20);
    await session.access();
    await session.end(true);
    expect(sent[2]).toEqual(['sessionEnd', { refresh: 'refresh 2' }, true]);
    expect(await session.access()).toBeNull();
    await session.end();
    expect(sent).toHaveLength(3);
  });

  test('stays ended when it was ended during a renewal', async () => {
    const { session } = await open(renewed(2), { data: {} });
    pass(20);
    const access = session.access();
    await session.end();
    expect(await access).toBeNull();
  });

  test('reports why it was refused', async () => {
    const { send } = service({ errors: [{ message: 'Wrong email or password.' }] });
    await expect(logIn(send, 'a', 'b', onEnd)).rejects.toThrow('Wrong email or password.');
  });
});
