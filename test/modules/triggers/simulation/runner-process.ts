import 'reflect-metadata';
import { readConfig } from '../../../../src/platform/config/config.js';
import { armFailpoint } from '../../../../src/platform/testing/failpoint.js';
import { openRunners } from './schedule-runners.js';

// A process with one runner. The parent sends the simulated time, and the failpoint that ends the process if there is one.
const { runners } = await openRunners(readConfig(process.env), 1);
process.on('message', async ({ now, crashAt }: { now: number; crashAt?: string }) => {
  armFailpoint(crashAt);
  const error = await runners[0]!.pass(now).then(
    () => undefined,
    (thrown: Error) => String(thrown.stack),
  );
  armFailpoint(undefined);
  process.send!({ error });
});
process.on('disconnect', () => process.exit(0));
process.send!({ isReady: true });
