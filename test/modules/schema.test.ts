import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { WAIT_CONDITIONS } from '../../src/engine/workflow/run/run-event.js';
import { printScenariumSchema } from '../../src/graphql/emit.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(type => !type.name.startsWith('__'));
const ROOTS = ['Query', 'Mutation', 'Subscription'];

describe('schema.graphql', () => {
  it('is generated from the code', () => {
    expect(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8')).toBe(printScenariumSchema());
  });

  it('describes every type, field, argument, input member and enum value', () => {
    const bare: string[] = [];
    const note = (name: string, description: string | null | undefined) => {
      if (!description?.trim()) bare.push(name);
    };
    for (const type of types) {
      if (!ROOTS.includes(type.name)) note(type.name, type.description);
      if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value.description);
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) note(`${type.name}.${field.name}`, field.description);
      if (isObjectType(type) || isInterfaceType(type)) {
        for (const field of Object.values(type.getFields())) {
          note(`${type.name}.${field.name}`, field.description);
          for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name})`, argument.description);
        }
      }
    }
    expect(bare).toEqual([]);
  });

  it('has a page, or documents how many there can be, wherever it has a list', () => {
    const endless = types
      .filter(type => isObjectType(type))
      .flatMap(type => Object.values(type.getFields()).map(field => ({ name: `${type.name}.${field.name}`, field })))
      .filter(
        ({ field }) => isListType(getNullableType(field.type)) && !field.args.some(({ name }) => name === 'limit'),
      )
      .filter(
        ({ field }) => !/at most|no more than|newest 50|every (kind|node)|1-5 files/i.test(field.description ?? ''),
      );
    expect(endless.map(({ name }) => name).filter(name => !/Page\.items$/.test(name))).toEqual([]);
  });

  it('and the documentation name the same conditions of waits', () => {
    const waiting = types
      .filter(type => isEnumType(type))
      .filter(({ name }) => /^WorkflowRun(State|ResultStatus|NodeStatus|ChangeKind)$|^ProjectActivityState$/.test(name))
      .flatMap(type => type.getValues().filter(({ name }) => /^(NODE_)?WAITING$/.test(name)));
    expect(waiting).toHaveLength(5);
    const pages = ['glossary', 'architecture', 'guarantees'].map(page =>
      readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8'),
    );
    for (const text of [...waiting.map(({ description }) => description), ...pages])
      expect(text).toContain(WAIT_CONDITIONS);
  });

  it('links each custom scalar to its specification', () => {
    const own = types.filter(
      type => isScalarType(type) && !['Int', 'Float', 'String', 'Boolean', 'ID'].includes(type.name),
    );
    expect(own.filter(type => isScalarType(type) && !type.specifiedByURL).map(type => type.name)).toEqual([]);
  });

  it('names mutations by their noun first', () => {
    const nouns = [
      ...['session', 'user', 'apiKey', 'maintenance', 'project', 'workflow', 'mcp', 'agentApproval'],
      ...['category', 'subcategory', 'variable', 'prompt', 'message', 'scenario', 'webhook', 'document', 'recognition'],
      ...['keyword', 'chatCompletion', 'providerKey', 'password', 'operatorLimit', 'runDeadLetter'],
      ...['embeddings', 'modelMessage', 'modelResponse', 'connection', 'keyValueEntry', 'memberForm', 'memberChat'],
      ...['apiDefinition', 'triggerConversation'],
    ];
    const names = Object.keys(schema.getMutationType()?.getFields() ?? {});
    expect(names.filter(name => !nouns.some(noun => name.startsWith(noun)))).toEqual([]);
  });
});
