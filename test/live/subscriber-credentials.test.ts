import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startRechecks } from '../../src/graphql/subscriptions/subscriber-credentials.js';
import type { Viewer } from '../../src/modules/accounts/viewer.js';
import { UnauthenticatedError } from '../../src/platform/errors/errors.js';
import type { Log } from '../../src/platform/logging/log.js';
import { eventually } from '../support/eventually.js';

/** Milliseconds between two checks, and a time in which several would be due. */
const RECHECK_MS = 5;
const LONG_MS = 50;

const options = { log: { warn: () => {} } as unknown as Log, credentialsRecheckMs: RECHECK_MS };

let answers: ((caller: Viewer | UnauthenticatedError) => void)[];
let refusals: UnauthenticatedError[];
let stop: () => void;
beforeEach(() => {
  answers = [];
  refusals = [];
  stop = startRechecks(
    () => new Promise(resolve => answers.push(resolve)),
    error => refusals.push(error),
    options,
  );
});
afterEach(() => stop());

const checks = (count: number) =>
  eventually(
    async () => answers.length,
    started => started >= count,
  );

it('starts a check after the end of the one before it', async () => {
  await checks(1);
  await delay(LONG_MS);
  expect(answers).toHaveLength(1);
  answers[0]!({} as Viewer);
  await checks(2);
});

it('reports invalid credentials once', async () => {
  await checks(1);
  const error = new UnauthenticatedError();
  answers[0]!(error);
  await delay(LONG_MS);
  expect([answers.length, refusals]).toEqual([1, [error]]);
});

it('reports nothing after it is stopped during a check', async () => {
  await checks(1);
  stop();
  answers[0]!(new UnauthenticatedError());
  await delay(LONG_MS);
  expect([answers.length, refusals]).toEqual([1, []]);
});
