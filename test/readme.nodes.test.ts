import { describe, expect, it } from '@jest/globals';
import { Content, type Scope } from '../src/engine/expressions/scope.js';
import { renderValue } from '../src/engine/expressions/template.js';
import { commonMembers } from '../src/engine/workflow/graph/common-members.js';
import { nodeKinds } from '../src/engine/workflow/nodes/index.js';
import { nodeListing } from '../src/engine/workflow/nodes/listing.js';
import { nodesPage } from '../src/modules/workflows/node-kinds/nodes-page.js';
import { blocksOf, code, readPage, section, tablesOf } from './support/readme/readme.js';

const PAGE = readPage('docs/nodes.md');

describe('docs/nodes.md', () => {
  it('has a heading for every type of node, and for no other', () => {
    const headings = [...PAGE.matchAll(/^## (\S+-node)$/gm)].map(([, type]) => type ?? '');
    expect(headings.sort()).toEqual(
      nodeListing()
        .map(({ type }) => type)
        .sort(),
    );
  });

  it('is up to date', () => {
    expect(nodesPage(PAGE)).toBe(PAGE);
  });

  it('has a meaning for every setting', () => {
    const rows = tablesOf(PAGE)
      .filter(([[first = ''] = []]) => first.startsWith('`'))
      .flat();
    const incomplete = rows.filter(([, type, , meaning]) => type === '' || meaning === '').map(([name]) => name);
    expect(incomplete).toEqual([]);
  });

  it('lists the common members', () => {
    const [rows = []] = tablesOf(section(PAGE, '## Common members'));
    expect(rows.map(([name]) => code(name))).toEqual(Object.keys(commonMembers));
  });

  it.each(nodeKinds.map(kind => [kind.type, kind] as const))('lists the members of %s', (type, kind) => {
    const [rows = []] = tablesOf(section(PAGE, `## ${type}`));
    expect(rows.map(([name]) => code(name)).sort()).toEqual([...kind.members].sort());
  });

  it.each(nodeKinds.map(kind => [kind.type, kind] as const))('shows a valid %s', (type, kind) => {
    const blocks = blocksOf(section(PAGE, `## ${type}`)).filter(({ language }) => language === 'json');
    const examples = blocks.map(({ text }) => JSON.parse(text));
    expect(examples).toHaveLength(1);
    expect(examples[0].type).toBe(type);
    expect(kind.written.safeParse(examples[0].data).error?.issues ?? []).toEqual([]);
  });

  describe('on placeholders', () => {
    const part = section(PAGE, '## Placeholders');
    const [examples = []] = tablesOf(part);
    const given = JSON.parse(blocksOf(part)[0]?.text ?? '') as { input: Record<string, unknown>; content: string };
    const scope: Scope = {
      input: given.input,
      declared: new Set(),
      node: id => (id === 'ask' ? new Content(given.content) : undefined),
      previous: () => new Content(given.content),
      runId: '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10',
      now: '2026-01-01T00:00:00.000Z',
    };

    it.each(examples)('describes the result of %s', (setting, value) => {
      expect(renderValue(code(setting), scope)).toEqual(JSON.parse(code(value)));
    });
  });
});
