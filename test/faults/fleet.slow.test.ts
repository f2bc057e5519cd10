import { expect, it } from '@jest/globals';
import { Fleet } from './suite/fleet.js';

it('a fleet whose processes exit before they are ready fails at once, with the exit code and the last log line', async () => {
  const fleet = new Fleet({ main: '/missing/main.js', environment: {} }, 2);
  await expect(fleet.start()).rejects.toThrow(
    /^A process of the fleet ended with exit code 1 before it was ready; its last log line: Error: Cannot find module '\/missing\/main\.js'$/,
  );
  await fleet.close();
});
