import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { JsonObject } from '../../../engine/json-value.js';
import { commonMembers } from '../../../engine/workflow/graph/common-members.js';
import { nodeKinds } from '../../../engine/workflow/nodes/index.js';
import { type ListedNode, nodeListing } from '../../../engine/workflow/nodes/listing.js';
import { writeGeneratedPage } from '../../../platform/generation/generated-page.js';
import { memberTables } from './member-tables.js';

const PAGE = 'docs/nodes.md';
const START = '<!-- generated -->';
const END = '<!-- end of the generated part -->';

/** Returns docs/nodes.md with the parts between the marks written anew. */
export function nodesPage(current: string): string {
  return [commonSection(), ...nodeListing().map(kindSection)].reduce(
    (page, { heading, text }) => withGenerated(page, heading, text),
    current,
  );
}

interface Section {
  heading: string;
  text: string;
}

function commonSection(): Section {
  const schema = z.toJSONSchema(z.looseObject(commonMembers), { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return { heading: '## Common members', text: memberTables(schema, Object.keys(commonMembers)) };
}

function kindSection(listed: ListedNode): Section {
  const { type, description, schema } = listed;
  const members = new Set(nodeKinds.find(kind => kind.type === type)?.members);
  const names = Object.keys(schema.properties as JsonObject).filter(name => members.has(name));
  const parts = [description, memberTables(schema, names), ...outputsOf(listed), ...sampleOf(listed)];
  return { heading: `## ${type}`, text: parts.join('\n\n') };
}

/** Returns the list of the outputs of a kind with branches. Every kind has the output `error`. */
function outputsOf({ outputs }: ListedNode): string[] {
  const own = outputs.filter(({ handle, showIf }) => handle !== null && showIf?.path !== 'on_error');
  if (own.length === 0) return [];
  return [['Outputs:', '', ...own.map(({ handle, description }) => `- \`${handle}\`: ${description}`)].join('\n')];
}

function sampleOf({ content: { sample } }: ListedNode): string[] {
  if (sample === '') return [];
  return sample.includes('\n')
    ? [`Example of the content:\n\n\`\`\`text\n${sample}\n\`\`\``]
    : [`Example of the content: \`${sample}\``];
}

function withGenerated(page: string, heading: string, text: string): string {
  const from = page.indexOf(`\n${heading}\n`);
  const start = page.indexOf(START, from);
  const end = page.indexOf(END, start);
  const next = page.indexOf('\n## ', from + 1);
  if (from === -1 || start === -1 || end === -1 || (next !== -1 && next < end))
    throw new Error(`${PAGE} needs a section "${heading}" with the lines "${START}" and "${END}"`);
  return `${page.slice(0, start)}${START}\n\n${text}\n\n${page.slice(end)}`;
}

/** Writes docs/nodes.md. With `--check` it only reports whether the file is up to date. */
async function main(): Promise<void> {
  const current = await readFile(PAGE, 'utf8');
  await writeGeneratedPage(PAGE, current, nodesPage(current));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
