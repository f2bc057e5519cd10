/** Limits of the log of one script: lines, and characters of a line. */
const MAX_LINES = 100;
const MAX_LINE = 1000;

/** The lines that a script writes to the console. */
export class ScriptLog {
  readonly lines: string[] = [];

  add(text: string): void {
    if (this.lines.length > MAX_LINES) return;
    if (this.lines.length === MAX_LINES) this.lines.push(`[truncated: the script writes more than ${MAX_LINES} lines]`);
    else this.lines.push(text.length <= MAX_LINE ? text : `${text.slice(0, MAX_LINE).toWellFormed()}… [truncated]`);
  }
}
