import { writeFile } from 'node:fs/promises';

/** Writes a generated page. With the argument `--check` of the process it only reports whether `current` is up to date. */
export async function writeGeneratedPage(path: string, current: string, text: string): Promise<void> {
  if (!process.argv.includes('--check')) return writeFile(path, text);
  if (current === text) return;
  console.error(`${path} is outdated. Run \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}

/** Returns a text for the cell of a Markdown table. */
export function escapePipes(text: string): string {
  return text.replaceAll('|', '\\|');
}
