import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { variableNames } from '../src/platform/config/config.js';
import { ROOT, readPage } from './support/readme/readme.js';

const packageJson = JSON.parse(readPage('package.json'));
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('deploy/Dockerfile', () => {
  const text = readPage('deploy/Dockerfile');
  const last = text.slice(text.lastIndexOf('\nFROM '));

  it('has nothing that a linter objects to', () => {
    expect(validate(text)).toEqual([]);
    expect(validate('FROM a\nCMD x\nCMD y')).not.toEqual([]);
  });

  it('uses the version of Node in package.json, and no other', () => {
    const nodes = matches(text, /^FROM node:(\d+\.\d+\.\d+)-/gm);
    expect(new Set(nodes)).toEqual(new Set([packageJson.dependencies.node]));
  });

  it('copies only files that exist and that .dockerignore includes', () => {
    const sources = matches(text, /^COPY (?!--from)(.+) \S+$/gm).flatMap(list => list.split(' '));
    const included = matches(readPage('.dockerignore'), /^!(.+)$/gm);
    expect(sources.length).toBeGreaterThan(8);
    expect(sources.filter(source => source !== './' && !included.includes(source))).toEqual([]);
    expect(included.filter(source => !existsSync(path.join(ROOT, source)))).toEqual([]);
  });

  it('starts the service without a shell, as a user who is not root and is given by number', () => {
    expect(matches(last, /^USER (.+)$/gm)).toEqual(['10001:10001']);
    expect(matches(last, /^(?:ENTRYPOINT|CMD) (.)/gm)).toEqual(['[', '[']);
    const [entrypoint] = matches(last, /^ENTRYPOINT (.+)$/gm).map(text => JSON.parse(text) as string[]);
    expect(entrypoint?.join(' ')).toBe(packageJson.scripts.start);
  });
});

describe('deploy/compose.yaml', () => {
  const text = readPage('deploy/compose.yaml');
  const { services } = parse(text, { merge: true });

  it('has nothing that a linter objects to', () => {
    const linter = new DCLinter(JSON.parse(readPage('deploy/.dclintrc.json')));
    const messages = linter
      .lintFiles([path.join(ROOT, 'deploy/compose.yaml')], false)
      .flatMap((file: { messages: unknown[] }) => file.messages);
    expect(messages).toEqual([]);
  });

  it('starts two APIs and two workers of one image, and gives them variables that exist', () => {
    const own = Object.values<any>(services).filter(({ environment }) => environment.DATABASE_URL);
    expect(own.map(({ environment }) => environment.ROLE).sort()).toEqual(['api', 'api', 'worker', 'worker']);
    expect(new Set(own.map(({ image }) => image)).size).toBe(1);
    const names = new Set(own.flatMap(({ environment }) => Object.keys(environment)));
    expect([...names].filter(name => !variableNames.includes(name))).toEqual([]);
  });

  it('uses exactly the variables that deploy/.env.example shows', () => {
    const used = new Set(matches(text, /\$\{(\w+)/g));
    expect([...used].sort()).toEqual(matches(readPage('deploy/.env.example'), /^(\w+)=/gm).sort());
  });
});

describe('the chart', () => {
  const CHART = 'deploy/helm/scenarium';
  const values = parse(readPage(`${CHART}/values.yaml`));
  const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readPage(`${CHART}/values.schema.json`)),
  );
  const templates = readdirSync(path.join(ROOT, CHART, 'templates'));
  const texts = new Map(templates.map(name => [name, readPage(`${CHART}/templates/${name}`)]));
  const all = [...texts.values()].join('\n');

  it('has the version of package.json, and values that its schema accepts', () => {
    const { version, appVersion } = parse(readPage(`${CHART}/Chart.yaml`));
    expect([version, appVersion]).toEqual([packageJson.version, packageJson.version]);
    expect([isValid(values), isValid.errors]).toEqual([true, null]);
  });

  it.each([
    ['a variable that is not a text', { env: { RATE_LIMIT_PER_MINUTE: 60 } }],
    ['a folder as the place of files', { storage: { url: 'file:/data' } }],
    ['a value that does not exist', { workers: { replicas: 2 } }],
    ['no API at all', { api: { ...values.api, replicas: 0 } }],
  ])('refuses %s', (_title, given) => {
    expect(isValid({ ...values, ...given })).toBe(false);
  });

  it('uses every value, and none that does not exist', () => {
    const used = new Set(matches(all, /\.Values\.([\w.]+)/g));
    const known = new Set<string>();
    const visit = (node: unknown, at: string) => {
      known.add(at);
      if (node && typeof node === 'object' && !Array.isArray(node))
        for (const [name, value] of Object.entries(node)) visit(value, at === '' ? name : `${at}.${name}`);
    };
    visit(values, '');
    expect([...used].filter(name => !known.has(name))).toEqual([]);
    const covered = (name: string) =>
      [...used].some(use => use === name || name.startsWith(`${use}.`) || use.startsWith(`${name}.`));
    expect([...known].filter(name => name !== '' && !covered(name))).toEqual([]);
  });

  it('closes every block, and includes what it defines', () => {
    for (const [name, text] of texts) {
      const opened = matches(text, /\{\{-? *(if|range|with|define|block) /g).length;
      expect([name, matches(text, /\{\{-? *(end) *-?\}\}/g).length]).toEqual([name, opened]);
      expect([name, text.split('{{').length]).toEqual([name, text.split('}}').length]);
    }
    const defined = new Set(matches(all, /define "([^"]+)"/g));
    expect(matches(all, /include "([^"]+)"/g).filter(name => !defined.has(name))).toEqual([]);
  });

  it('allows connections to the ports on which its pods listen, and to no other', () => {
    const policy = texts.get('network-policy.yaml') ?? '';
    const ports = new Set(matches(all, /^ +- name: (\w+)\n +containerPort/gm));
    expect(values.networkPolicy.enabled).toBe(true);
    expect(new Set(matches(policy, /^ +- port: (\w+)$/gm))).toEqual(ports);
    expect(policy).toContain('policyTypes: [Ingress');
    // The policy selects all pods of the release.
    expect(policy).not.toContain('component:');
  });

  it('sets variables that exist, and probes paths that exist', () => {
    const set = matches(all, /^ *- name: ([A-Z_]+)$/gm);
    expect(set.filter(name => !variableNames.includes(name))).toEqual([]);
    expect(new Set(matches(all, /^ +path: (\/\w+)$/gm))).toEqual(new Set(['/healthz', '/readyz']));
  });
});
