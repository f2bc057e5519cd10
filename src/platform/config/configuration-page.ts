import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { escapePipes, writeGeneratedPage } from '../generation/generated-page.js';
import { variableFormats } from './config.js';
import { VARIABLE_GROUPS, type VariableText } from './configuration-groups.js';

const PAGE = 'docs/configuration.md';

/** Returns the content of docs/configuration.md. */
export function configurationPage(): string {
  const groups = VARIABLE_GROUPS.map(({ title, variables }) => `## ${title}\n\n${tableOf(variables)}`);
  return `# Configuration

Environment variables configure the service. It validates them at startup. An invalid value aborts startup with one line: the
variable, its value (for secrets only the length) and the accepted format. An empty value counts as unset.

\`npm run generate\` writes this page from \`src/platform/config/configuration-groups.ts\`.

${groups.join('\n\n')}
`;
}

function tableOf(variables: VariableText[]): string {
  const rows = variables.map(({ name, default: value, text }) => {
    const format = (variableFormats.get(name) ?? '').replaceAll(/[|<*]/g, '\\$&');
    return `| \`${name}\` | ${value === undefined ? 'unset' : `\`${value}\``} | ${format} | ${escapePipes(text)} |`;
  });
  return ['| Variable | Default | Accepts | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Writes docs/configuration.md. With `--check` it only reports whether the file is up to date. */
async function main(): Promise<void> {
  const current = await readFile(PAGE, 'utf8').catch(() => '');
  await writeGeneratedPage(PAGE, current, configurationPage());
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
