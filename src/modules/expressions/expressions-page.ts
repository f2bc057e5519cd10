import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import {
  type ExpressionFunction,
  FUNCTION_GROUPS,
  type FunctionGroup,
} from '../../engine/expressions/functions/function-kind.js';
import { functionGroups } from '../../engine/expressions/functions/index.js';
import { ROOTS } from '../../engine/expressions/references.js';
import { escapePipes, writeGeneratedPage } from '../../platform/generation/generated-page.js';

const PAGE = 'docs/expressions.md';
const START = '<!-- generated -->';

const TITLES: Readonly<Record<FunctionGroup, string>> = {
  text: 'Texts',
  list: 'Lists',
  map: 'Maps',
  number: 'Numbers',
  date: 'Dates',
  encoding: 'Encoding',
  value: 'Any values',
};

function tableOf(functions: readonly ExpressionFunction[]): string {
  const rows = functions.map(({ signature, description, examples }) => {
    const shown = examples.map(([expression, result]) => `\`${expression}\` → \`${JSON.stringify(result)}\``);
    return `| \`${escapePipes(signature)}\` | ${escapePipes(description)} | ${escapePipes(shown.join('<br>'))} |`;
  });
  return ['| Function | Result | Examples |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Returns docs/expressions.md with the part below the mark written anew. Throws an error if the mark is missing. */
export function expressionsPage(current: string): string {
  const start = current.indexOf(START);
  if (start === -1) throw new Error(`${PAGE} needs the line "${START}" above its generated part`);
  const written = current.slice(0, start).trimEnd();
  const roots = ROOTS.map(({ name, description }) => `| \`${name}\` | ${escapePipes(description)} |`);
  const groups = FUNCTION_GROUPS.map(group => `### ${TITLES[group]}\n\n${tableOf(functionGroups[group])}`);
  return `${written}

${START}

## References

| Name | Value |
| --- | --- |
${roots.join('\n')}

## Functions

${groups.join('\n\n')}
`;
}

/** Writes docs/expressions.md. With `--check` it only reports whether the file is up to date. */
async function main(): Promise<void> {
  const current = await readFile(PAGE, 'utf8');
  await writeGeneratedPage(PAGE, current, expressionsPage(current));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
