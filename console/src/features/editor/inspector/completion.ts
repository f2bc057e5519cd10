import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { EditorExpressionsQuery } from '../editor.generated';
import type { Suggestion } from '../model/placeholders';

export type ExpressionFunction = NonNullable<EditorExpressionsQuery['expressionFunctions']>[number];

/** The values that an expression can refer to at the position of the cursor. */
export interface ExpressionNames {
  suggestions: readonly Suggestion[];
  functions: readonly ExpressionFunction[];
}

/** Completes values and functions in `{{ … }}`. After `|` only functions, as filters. */
export function completeTemplate(names: () => ExpressionNames) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const before = state.sliceDoc(0, pos);
    const start = before.lastIndexOf('{{');
    const inner = before.slice(start + 2);
    if (start === -1 || inner.includes('}}') || isInText(inner)) return null;
    const { suggestions, functions } = names();
    const [word = ''] = /[\w.-]*$/.exec(inner) ?? [];
    const from = pos - word.length;
    const lead = inner.slice(0, inner.length - word.length);
    if (/\|\s*$/.test(lead)) return { from, options: functions.map(toFilter), validFor: /^\w*$/ };
    // A name needs something that it can follow: an operator, a bracket or the start.
    if (lead.trim() !== '' && !/[([,:?+*/%<>=-]\s*$|\b(?:and|or|not|in)\s+$/.test(lead)) return null;
    const isFirst = lead.trim() === '';
    const options = [
      ...suggestions.map(one => (isFirst ? toPlaceholder(one) : toValue(one))),
      ...functions.map(one => toCall(one, lead === '' ? ' ' : '')),
    ];
    return { from, options, validFor: /^[\w.-]*$/ };
  };
}

/** Names in scripts: `nodes["ask"].content`, `input.topic`. */
export function completeScript(names: () => ExpressionNames) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/(?:nodes|input)[\w.["'\]-]*$/);
    if (!word && !context.explicit) return null;
    const options = names()
      .suggestions.filter(({ name }) => /^(nodes|input)\./.test(name))
      .map(({ name, source }) => ({ label: name.replace(/^nodes\.([^.]+)/, 'nodes["$1"]'), detail: source }));
    return { from: word?.from ?? context.pos, options };
  };
}

/** Whether a text in quotes is open at the end. */
function isInText(expression: string): boolean {
  const rest = expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '');
  return /["']/.test(rest);
}

const toValue = ({ name, source, sample }: Suggestion): Completion => ({
  label: name,
  detail: source,
  boost: 1,
  ...(sample === null ? {} : { info: sample }),
});

/** Characters after the cursor that are searched for the end of the placeholder. */
const MAX_REST = 1_000;

/** A value in a placeholder: its braces are closed if they are not yet, and it has a space on both sides. */
const toPlaceholder = (suggestion: Suggestion): Completion => ({
  ...toValue(suggestion),
  apply: (view, { label }, from, to) => {
    const before = view.state.sliceDoc(from - 1, from) === '{' ? ' ' : '';
    const [rest = ''] = view.state.sliceDoc(to, to + MAX_REST).split('{{');
    let after = ' }}';
    if (rest.startsWith('}')) after = ' ';
    else if (rest.includes('}}') || rest.trimStart().startsWith('}')) after = '';
    const text = `${before}${label}${after}`;
    view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length } });
  },
});

/** `truncate(` with the cursor after the bracket. `lead` is the space after `{{`, if it is missing. */
function toCall(one: ExpressionFunction, lead: string): Completion {
  const end = one.parameters.length === 0 ? '()' : '(';
  return { ...toCompletion(one), apply: `${lead}${one.name}${end}` };
}

/** `truncate: `, or `upper` without further arguments. */
function toFilter(one: ExpressionFunction): Completion {
  // The value in front of `|` is the first argument.
  const furtherArguments = one.parameters.slice(1).filter(({ isOptional }) => !isOptional);
  return { ...toCompletion(one), apply: furtherArguments.length > 0 ? `${one.name}: ` : one.name };
}

const toCompletion = (one: ExpressionFunction): Completion => ({
  label: one.name,
  detail: one.signature.slice(one.name.length),
  type: 'function',
  info: () => describe(one),
});

/** The signature, the description and an example of a function. */
function describe({ signature, description, examples }: ExpressionFunction): Node {
  const box = document.createElement('div');
  const line = (tag: string, text: string) => {
    const element = document.createElement(tag);
    element.textContent = text;
    box.append(element);
  };
  line('code', signature);
  line('p', description.replaceAll('`', ''));
  for (const { expression, result } of examples.slice(0, 2)) line('code', `${expression} → ${resultText(result)}`);
  return box;
}

const resultText = (result: unknown) => JSON.stringify(result) ?? 'no value';
