// Mutation testing of what must not be wrong by one sign: rights, secrets, money, templates and the outbound guard.
// `npm run test:mutation` (scripts/mutation.mjs) takes all modules, with MUTATE=secrets one of them; docs/mutation.md says
// what it has found. It fetches its tool when it is run, and is no part of CI.
const MODULES = {
  rights: {
    mutate: ['src/modules/projects/rights.ts', 'src/modules/projects/access.ts'],
    tests: ['modules/rights', 'modules/access'],
  },
  secrets: { mutate: ['src/engine/secrets.ts'], tests: ['engine/secrets'] },
  money: { mutate: ['src/platform/money/money.ts'], tests: ['platform/money'] },
  ledger: {
    mutate: ['src/modules/workflow-runs/journal/run-ledger.ts', 'src/modules/billing/budgets/budget.ts'],
    tests: ['modules/billing/budget.reserve', 'modules/workflow-runs/run-ledger'],
  },
  templates: {
    mutate: [
      'src/engine/expressions/template.ts',
      'src/engine/expressions/template-parser.ts',
      'src/engine/expressions/resolve.ts',
    ],
    tests: ['engine/expressions/template', 'engine/expressions/template-parser'],
  },
  outbound: {
    mutate: ['src/platform/outbound/address-policy.ts', 'src/platform/outbound/connector.ts'],
    tests: ['platform/outbound/outbound.guard'],
  },
};

const { MUTATE } = process.env;
const modules = MUTATE === undefined ? Object.values(MODULES) : [MODULES[MUTATE]];
if (modules.includes(undefined)) throw new Error(`MUTATE must be one of ${Object.keys(MODULES).join(', ')}`);

export default {
  mutate: modules.flatMap(module => module.mutate),
  // The mutants are compiled once, all together; each is then switched on in turn.
  buildCommand: 'tsc -p tsconfig.test.json',
  // Would be rewritten by a programming interface that TypeScript 7 does not have; it needs no rewriting.
  tsconfigFile: 'none',
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: {
    projectType: 'custom',
    enableFindRelatedTests: false,
    config: {
      testEnvironment: 'node',
      roots: ['<rootDir>/build/test'],
      testMatch: modules.flatMap(module => module.tests).map(name => `**/${name}.test.js`),
      transform: {},
      setupFiles: ['<rootDir>/build/test/support/setup.js'],
      testTimeout: 20_000,
      maxWorkers: 1,
      watchman: false,
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: '.stryker-tmp',
  ignorePatterns: ['build', 'dist', 'docs', 'pages'],
  thresholds: { high: 95, low: 90, break: 90 },
};
