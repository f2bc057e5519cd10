import { type ParserPlugin, parse } from '@babel/parser';
import type { Rule } from './rules.js';

const MAX_LINES = 60;
const MAX_COMPLEXITY = 12;
const PLUGINS: ParserPlugin[] = ['typescript', 'decorators-legacy', 'explicitResourceManagement'];

interface SyntaxNode {
  type: string;
  loc: { start: { line: number }; end: { line: number } };
  [member: string]: unknown;
}

const FUNCTION = /Function|^(?:Object|Class|ClassPrivate)Method$/;
/** Syntax that adds a path through a function: `??` counts, `?.` does not. */
const BRANCH =
  /^(?:If|For|ForIn|ForOf|While|DoWhile)Statement$|^ConditionalExpression$|^CatchClause$|^LogicalExpression$/;

/** Counts each function separately. Nested functions do not count for the outer one. */
export const oversizedFunction: Rule = sources =>
  [...sources]
    .filter(([file]) => !/^(?:rest-compat\/generated|src\/migrations)\//.test(file))
    .flatMap(([file, text]) => {
      const { program } = parse(text, { sourceType: 'module', plugins: PLUGINS });
      return [...functionsWithin(program as unknown as SyntaxNode)].flatMap(node => {
        const lines = node.loc.end.line - node.loc.start.line + 1;
        const complexity = 1 + branchesWithin(node.body);
        if (lines <= MAX_LINES && complexity <= MAX_COMPLEXITY) return [];
        const limits = `at most ${MAX_LINES} and ${MAX_COMPLEXITY} are allowed`;
        return [`${file}:${node.loc.start.line} a function has ${lines} lines and complexity ${complexity}, ${limits}`];
      });
    });

function* functionsWithin(node: SyntaxNode): Generator<SyntaxNode> {
  if (isFunction(node)) yield node;
  for (const child of childrenOf(node)) yield* functionsWithin(child);
}

function branchesWithin(body: unknown): number {
  const count = (node: SyntaxNode): number => {
    if (isFunction(node)) return 0;
    const isBranch = BRANCH.test(node.type) || (node.type === 'SwitchCase' && node.test !== null);
    return childrenOf(node).reduce((sum, child) => sum + count(child), isBranch ? 1 : 0);
  };
  return isNode(body) ? count(body) : 0;
}

function isFunction(node: SyntaxNode): boolean {
  return FUNCTION.test(node.type) && isNode(node.body);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'loc' in value &&
    'type' in value &&
    !String((value as SyntaxNode).type).startsWith('Comment')
  );
}
