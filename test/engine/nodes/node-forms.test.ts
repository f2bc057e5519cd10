import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type JsonObject } from '../../../src/engine/json-value.js';
import { nodeKinds } from '../../../src/engine/workflow/nodes/index.js';
import { fieldsOf, schemasAt, titledSchema } from '../../../src/engine/workflow/nodes/titled-schema.js';
import { readPage } from '../../support/readme/readme.js';

/** Widgets that edit a whole object or list, so that its members need no fields. */
const WHOLE = ['graph', 'json', 'key_value', 'condition', 'hidden'];

/** The dotted paths of all members, down to the fields that are edited as a whole. */
function memberPaths(schema: unknown, isWhole: (path: string) => boolean, at = ''): string[] {
  if (!isObject(schema) || schema.type === 'null' || isWhole(at)) return [];
  const below = (key: string, inner: unknown) => memberPaths(inner, isWhole, at === '' ? key : `${at}.${key}`);
  const properties = Object.entries((schema.properties ?? {}) as JsonObject);
  const branches = [schema.anyOf, schema.oneOf].flatMap(list => (Array.isArray(list) ? list : []));
  const inside = [
    ...properties.flatMap(([key, inner]) => below(key, inner)),
    ...(isObject(schema.items) ? below('*', schema.items) : []),
    ...branches.flatMap(inner => memberPaths(inner, isWhole, at)),
  ];
  return inside.length === 0 ? [at] : inside;
}

describe.each(nodeKinds.map(kind => [kind.type, kind] as const))('the form of %s', (type, kind) => {
  const schema = titledSchema(kind);
  const fields = fieldsOf(kind);

  it('has a field for every member of the schema, and no other', () => {
    const isWhole = (path: string) => WHOLE.includes(fields[path]?.widget ?? '');
    const missing = memberPaths(schema, isWhole).filter(path => !(path.replace(/\.\*$/, '') in fields));
    expect(missing).toEqual([]);
    for (const [path, { title, widget, group, isSecret, optionsFrom, showIf }] of Object.entries(fields)) {
      const found = schemasAt(schema, path.split('.'));
      expect([path, found.length > 0]).toEqual([path, true]);
      for (const each of found) {
        const hints = Object.entries(each).filter(([name]) => name === 'title' || name.startsWith('x-'));
        expect(Object.fromEntries(hints)).toEqual({
          title,
          'x-widget': widget,
          'x-group': group ?? 'settings',
          ...(isSecret && { 'x-secret': true }),
          ...(optionsFrom && { 'x-options-from': optionsFrom }),
          ...(showIf && { 'x-show-if': showIf }),
        });
      }
    }
  });

  it('has the members of the schema in the order of the fields', () => {
    const order = [...new Set(Object.keys(fields).map(path => path.split('.')[0]))];
    expect(Object.keys(schema.properties as JsonObject)).toEqual(order);
  });

  it('refers in conditions to fields of the form', () => {
    for (const { showIf } of Object.values(fields)) if (showIf) expect(Object.keys(fields)).toContain(showIf.path);
  });

  it('repeats outputs for lists that exist', () => {
    for (const { list, handle } of kind.outputs)
      if (list) expect([list in fields, handle]).toEqual([true, expect.stringMatching(/-0$/)]);
  });

  it('has a sample of the content that fits its schema', () => {
    const { sample, schema: content } = kind.form.content;
    if (content) expect(new Ajv2020().validate(content, JSON.parse(sample))).toBe(true);
  });

  it('has defaults whose members are fields', () => {
    const tops = new Set(Object.keys(fields).map(path => path.split('.')[0]));
    expect(Object.keys(kind.defaults).filter(name => !tops.has(name))).toEqual([]);
  });

  it('has an icon, a color and a chapter of docs/nodes.md', () => {
    expect(kind.form.icon).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(kind.form.color).toMatch(/^#[0-9a-f]{6}$/);
    expect(schema).toMatchObject({ 'x-icon': kind.form.icon, 'x-color': kind.form.color });
    expect(readPage('docs/nodes.md')).toContain(`\n## ${type}\n`);
  });
});
