import { expect, it } from '@jest/globals';
import { CompiledEntry } from '../cli/entry.js';
import { testEnvironment } from '../support/config.js';
import { createDatabase } from '../support/service.js';

/** The log of a service that starts and stops. */
async function readLog(LOG_FORMAT: string): Promise<string> {
  const database = await createDatabase();
  const service = new CompiledEntry('main.js', [], {
    ...testEnvironment(database),
    LOG_FORMAT,
    LOG_LEVEL: 'info',
    PORT: '0',
  });
  await service.waitForOutput(/listens on/);
  const { code, stdout } = await service.end('SIGTERM');
  expect(code).toBe(0);
  return stdout;
}

it('writes JSON where the standard output is not a terminal', async () => {
  const lines = (await readLog('')).split('\n').filter(line => line.startsWith('{'));
  expect(lines.map(line => JSON.parse(line).msg)).toEqual(expect.arrayContaining(['started', 'stopped']));
});

it('writes lines for people with LOG_FORMAT=pretty', async () => {
  const log = await readLog('pretty');
  expect(log).toMatch(/^\[\d\d:\d\d:\d\d\.\d+\] INFO: started/m);
  expect(log).not.toMatch(/^\{/m);
});
