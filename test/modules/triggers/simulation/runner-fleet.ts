import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../../faults/suite/random.js';
import { INHERITED } from '../../../support/inherited.js';
import type { SimulatedRunner } from './schedule-runners.js';

const MAIN = fileURLToPath(new URL('./runner-process.js', import.meta.url));
const POINTS = ['schedule.after-start', 'schedule.after-start:2', 'schedule.before-commit'];

/** A process that runs schedules and is replaced when it is killed. */
export class RunnerProcess implements SimulatedRunner {
  kills = 0;
  #child: ChildProcess | undefined;

  constructor(
    private readonly environment: Record<string, string>,
    private readonly random: Random,
    /** Share of the passes in which the process is killed. */
    private readonly share: number,
  ) {}

  async open(): Promise<void> {
    this.#child = fork(MAIN, {
      env: { ...INHERITED, ...this.environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if ((await this.#answer(this.#child)) === null) throw new Error('a process with a runner did not start');
  }

  /** Half of the kills happen at a failpoint, and half at any moment. */
  async pass(now: number): Promise<boolean> {
    const child = this.#child!;
    const isKilled = this.random.chance(this.share);
    const crashAt = isKilled && this.random.chance(0.5) ? this.random.pick(POINTS) : undefined;
    const answered = this.#answer(child);
    child.send({ now, crashAt });
    const timer =
      isKilled && crashAt === undefined
        ? setTimeout(() => child.kill('SIGKILL'), this.random.between(0, 40))
        : undefined;
    const answer = await answered;
    // A process that is killed after its answer is replaced in the next pass.
    clearTimeout(timer);
    if (answer?.error) throw new Error(answer.error);
    if (answer) return true;
    this.kills++;
    await this.open();
    return false;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
  }

  /** The next message of the process. Null: it has ended. */
  #answer(child: ChildProcess): Promise<{ error?: string } | null> {
    return new Promise(resolve => {
      const onExit = () => resolve(null);
      child.once('exit', onExit);
      child.once('message', message => {
        child.off('exit', onExit);
        resolve(message as { error?: string });
      });
    });
  }
}
