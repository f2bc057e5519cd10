import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { createLogin, PASSWORD } from '../support/sessions.js';

/** Requests with X-Forwarded-For come from the address in it, because loopback is a trusted proxy here. */
let service: TestService;
const ELSEWHERE = '198.51.100.1';

beforeAll(async () => {
  service = await startTestService({ trustedProxies: ['127.0.0.0/8', '::1'], loginLimitPerMinute: 12 });
});
afterAll(() => service?.stop());

const logIn = (who: string, email: string, password: string) =>
  service.rest('POST', '/api/v1/token/', {
    key: null,
    body: { email, password },
    headers: { 'X-Forwarded-For': who },
  });

describe('logins', () => {
  it('of an account remain possible for known and for new clients while a hundred addresses guess', async () => {
    const { email } = await createLogin(service, 'famous');
    expect((await logIn(ELSEWHERE, email, PASSWORD)).status).toBe(200);
    for (let network = 0; network < 11; network++)
      for (let n = 0; n < 10; n++) {
        const guess = await logIn(`192.0.${network}.1`, email, 'a bad guess');
        if (network < 10) expect(guess.status).toBe(401);
        // After a hundred failed logins, an unknown network has two attempts.
        else expect(guess.status).toBe(n < 2 ? 401 : 429);
      }
    const known: number[] = [];
    for (let n = 0; n < 4; n++) known.push((await logIn(ELSEWHERE, email, 'a typing mistake')).status);
    expect(known).toEqual([401, 401, 401, 401]);
    expect((await logIn(ELSEWHERE, email, PASSWORD)).status).toBe(200);
    expect((await logIn('192.0.99.1', email, PASSWORD)).status).toBe(200);
  });

  it('of an honest client are served before the rest of a flood', async () => {
    const { email } = await createLogin(service, 'honest');
    let answered = 0;
    const flood = Array.from({ length: 60 }, (_none, n) =>
      logIn(`192.88.${Math.floor(n / 12)}.2`, `ghost-${n}@example.com`, 'wrong').then(answer => {
        answered++;
        return answer.status;
      }),
    );
    const ordinary = await logIn(ELSEWHERE, email, PASSWORD);
    const before = answered;
    expect(ordinary.status).toBe(200);
    expect((await Promise.all(flood)).filter(status => status === 401)).toHaveLength(60);
    // Five addresses send twelve each; the honest one is served among the first.
    expect(before).toBeLessThan(45);
  });
});
