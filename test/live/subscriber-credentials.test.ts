import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { startRechecks } from '../../src/graphql/subscriptions/subscriber-credentials.js';
import type { Viewer } from '../../src/modules/accounts/viewer.js';
import { UnauthenticatedError } from '../../src/platform/errors/errors.js';
import type { Log } from '../../src/platform/logging/log.js';

const options = { log: { warn: () => {} } as unknown as Log, credentialsRecheckMs: 1_000 };

let answers: ((caller: Viewer | UnauthenticatedError) => void)[];
let refusals: UnauthenticatedError[];
let stop: () => void;
beforeEach(() => {
  jest.useFakeTimers();
  answers = [];
  refusals = [];
  stop = startRechecks(
    () => new Promise(resolve => answers.push(resolve)),
    error => refusals.push(error),
    options,
  );
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});

it('starts a check after the end of the one before it', async () => {
  await jest.advanceTimersByTimeAsync(10_000);
  expect(answers).toHaveLength(1);
  answers[0]!({} as Viewer);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(2);
});

it('reports invalid credentials once', async () => {
  await jest.advanceTimersByTimeAsync(1_000);
  const error = new UnauthenticatedError();
  answers[0]!(error);
  await jest.advanceTimersByTimeAsync(10_000);
  expect([answers.length, refusals]).toEqual([1, [error]]);
});

it('reports nothing after it is stopped during a check', async () => {
  await jest.advanceTimersByTimeAsync(1_000);
  stop();
  answers[0]!(new UnauthenticatedError());
  await jest.advanceTimersByTimeAsync(10_000);
  expect([answers.length, refusals]).toEqual([1, []]);
});
