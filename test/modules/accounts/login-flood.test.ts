import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AccountService } from '../../../src/modules/accounts/account.service.js';
import { AccessTokens } from '../../../src/modules/accounts/sessions/access-token.js';
import { SessionService } from '../../../src/modules/accounts/sessions/session.service.js';
import { type HashingClient, HashingQueue } from '../../../src/modules/accounts/users/hashing-queue.js';
import { UnauthenticatedError } from '../../../src/platform/errors/errors.js';
import { SlotGauge } from '../../../src/platform/metrics/slot-gauge.js';
import { openDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const NETWORKS = 5;
const ATTEMPTS_OF_NETWORK = 3;
const HONEST = '198.51.100.7';
const EMAIL = 'honest@example.com';
const PASSWORD = 'a good password';

/** Records the client networks in the order in which their hashes start. Hashes end only when `release` was called. */
class HeldHashingQueue extends HashingQueue {
  readonly started: string[] = [];
  readonly #released = Promise.withResolvers<void>();
  readonly release = this.#released.resolve;

  override run<T>(client: HashingClient, work: () => Promise<T>): Promise<T> {
    return super.run(client, async () => {
      this.started.push(client.network);
      await this.#released.promise;
      return work();
    });
  }
}

let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await openDatabase();
  await new AccountService(database).createUser({ email: EMAIL, password: PASSWORD });
});
afterAll(() => database?.close());

// The first login makes the network of the second one known.
it.each([
  ['from a network that has not logged in before waits for one hash of each flooding network', NETWORKS],
  ['from a network that has logged in before waits for no further hash of the flood', 0],
])('during a flood of wrong logins, a login %s', async (_what, hashesOfFlood) => {
  const queue = new HeldHashingQueue(new SlotGauge('password'), 1);
  const sessions = new SessionService(database, new AccessTokens('a secret of thirty-two characters or more'), queue);
  const flood = Array.from({ length: NETWORKS * ATTEMPTS_OF_NETWORK }, (_none, n) =>
    sessions
      .create(`ghost-${hashesOfFlood}-${n}@example.com`, 'wrong', { address: `192.0.2${n % NETWORKS}.1` })
      .catch((error: unknown) => error),
  );
  const waiting = (count: number) =>
    eventually(
      async () => queue.waiting,
      found => found === count,
    );
  await waiting(flood.length - 1);
  const honest = sessions.create(EMAIL, PASSWORD, { address: HONEST });
  await waiting(flood.length);
  queue.release();
  expect(await honest).toHaveProperty('access');
  // The first hash of the flood has started before.
  expect(queue.started.indexOf(HONEST)).toBe(1 + hashesOfFlood);
  for (const error of await Promise.all(flood)) expect(error).toBeInstanceOf(UnauthenticatedError);
  expect(queue.started).toHaveLength(flood.length + 1);
});
