import { appendFileSync } from 'node:fs';

/** The rows of the table that `npm run measure:console` prints. */
export type Figure =
  | 'build-seconds'
  | 'accessibility-violations'
  | 'complaints'
  | 'lighthouse-performance'
  | 'lighthouse-accessibility'
  | 'lighthouse-best-practices'
  | 'shell-kilobytes'
  | 'canvas-frames'
  | 'canvas-longest-task'
  | 'live-frames'
  | 'live-longest-task'
  | 'runs-first-page'
  | 'runs-memory'
  | 'lost-events';

/** Reports a figure. A figure that is reported several times has its worst value in the table. */
export function reportFigure(figure: Figure, value: number): void {
  const file = process.env.CONSOLE_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ figure, value })}\n`);
}
