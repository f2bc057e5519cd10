import { cursorTo, moveCursor } from 'node:readline';
import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Graph } from './graph.js';
import type { RunChange } from './watch.js';

type State = 'waiting' | 'running' | 'done' | 'skipped' | 'failed';

const STATES: Record<string, State> = {
  RUNNING: 'running',
  WAITING: 'running',
  SUCCEEDED: 'done',
  FAILED: 'failed',
  SKIPPED: 'skipped',
};

const STYLES: Record<State, { sign: string; colour: 'gray' | 'yellow' | 'green' | 'red' }> = {
  waiting: { sign: '○', colour: 'gray' },
  running: { sign: '◐', colour: 'yellow' },
  done: { sign: '●', colour: 'green' },
  skipped: { sign: '–', colour: 'gray' },
  failed: { sign: '✗', colour: 'red' },
};

interface Row {
  label: string;
  state: State;
  startedAt?: number;
  durationMs?: number;
  error?: string;
}

/** Lines are updated in place only if none of them wraps. */
const MIN_COLUMNS = 80;

/** Prints the states of the nodes of a run: a list updated in place on a terminal, otherwise a line per change. */
export class Progress {
  readonly #rows: Map<string, Row>;
  readonly #redraws: boolean;

  constructor(
    { nodes }: Graph,
    private readonly out: NodeJS.WriteStream = process.stdout,
  ) {
    this.#rows = new Map(nodes.map(({ id, data }) => [id, { label: data.label, state: 'waiting' }]));
    this.#redraws = out.isTTY === true && process.env.TERM !== 'dumb' && (out as WriteStream).columns >= MIN_COLUMNS;
    if (this.#redraws) this.#drawAll();
  }

  /** Applies the change of a node. Changes of the whole run are ignored. */
  apply({ at, node }: RunChange): void {
    const row = node ? this.#rows.get(node.nodeId) : undefined;
    if (!node || !row) return;
    const time = Date.parse(at);
    row.state = STATES[node.status] ?? row.state;
    if (row.state === 'running') row.startedAt ??= time;
    else if (row.startedAt !== undefined) row.durationMs = time - row.startedAt;
    if (node.error) row.error = node.error.message;
    if (!this.#redraws) return this.#draw(row);
    moveCursor(this.out, 0, -this.#rows.size);
    cursorTo(this.out, 0);
    this.#drawAll();
  }

  #drawAll(): void {
    for (const row of this.#rows.values()) this.#draw(row);
  }

  #draw({ label, state, durationMs, error }: Row): void {
    const { sign, colour } = STYLES[state];
    const duration = durationMs === undefined || state === 'skipped' ? '' : `${durationMs} ms`;
    const text = `  ${sign} ${label.padEnd(24)} ${state.padEnd(8)} ${duration.padStart(8)}`;
    // `styleText` respects NO_COLOR and omits colors if the output is not a terminal.
    this.out.write(`${styleText(colour, text, { stream: this.out })}\n`);
    if (error && state === 'failed' && !this.#redraws) this.out.write(`    ${error}\n`);
  }
}
