import { expect, test } from '@jest/globals';
import { ADVISORY_LOCKS } from '../../../src/platform/sql/advisory-locks.js';
import { readSources } from '../../architecture/sources.js';

const keys: number[] = Object.values(ADVISORY_LOCKS);

test('no two advisory locks share a key', () => {
  expect(new Set(keys).size).toBe(keys.length);
});

test('the registry holds the keys that functions of the database use', () => {
  const migrations = [...readSources(['src/migrations']).values()].join('\n');
  const used = [...migrations.matchAll(/advisory_\w+\((\d+)\)/g)].map(([, key]) => Number(key));
  expect(new Set(used)).toEqual(new Set([ADVISORY_LOCKS.partitions]));
});
