import { type Difference, Reconciliation } from '../modules/workflow-runs/reconciliation/reconciliation.js';
import type { CliContext, Options } from './arguments.js';
import { withDatabase } from './open-database.js';

/**
 * Prints one line for each difference between the ledger and its totals. Fails if there are differences; with `fix`
 * only if some remain.
 */
export async function reconcile({ fix }: Options, { env, print }: CliContext): Promise<void> {
  await withDatabase(env, async database => {
    const reconciliation = new Reconciliation(database.longRunning);
    const differences = await reconciliation.differences();
    for (const difference of differences) print(lineOf(difference));
    if (differences.length === 0) return print('The totals equal the ledger.');
    if (!fix) throw new Error(`${differences.length} totals differ from the ledger. Correct them with --fix.`);
    await reconciliation.fix();
    const remaining = await reconciliation.differences();
    for (const difference of remaining) print(`still different: ${lineOf(difference)}`);
    if (remaining.length > 0) throw new Error(`${remaining.length} totals still differ from the ledger.`);
    print('Corrected. The totals equal the ledger.');
  });
}

function lineOf({ subject, is, shouldBe }: Difference): string {
  return `${subject}: is ${is}, should be ${shouldBe}`;
}
