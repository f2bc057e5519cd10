import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { type Extension, Facet } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { describePlaceholder, type Names, PLACEHOLDER, placeholdersOf } from '../names';

/** Gives the extensions the current names of the project. They redraw the placeholders when the names change. */
export const namesFacet = Facet.define<Names, Names>({
  combine: values => values[0] ?? { variables: [], messages: [] },
});

class PlaceholderWidget extends WidgetType {
  constructor(
    private readonly label: string,
    private readonly text: string,
    private readonly isKnown: boolean,
  ) {
    super();
  }

  override eq(other: PlaceholderWidget): boolean {
    return other.label === this.label && other.text === this.text && other.isKnown === this.isKnown;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = this.isKnown ? 'cm-placeholder-name' : 'cm-placeholder-name cm-placeholder-unknown';
    element.textContent = this.label;
    element.title = this.isKnown ? this.text : `${this.text}: nothing in the project has this id`;
    return element;
  }
}

const decorator = new MatchDecorator({
  regexp: PLACEHOLDER,
  decoration: (match, view) => {
    const { label, isKnown } = describePlaceholder(view.state.facet(namesFacet), match);
    return Decoration.replace({ widget: new PlaceholderWidget(label, match[0], isKnown) });
  },
});

const placeholderWidgets = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorator.createDeco(view);
    }

    update(update: ViewUpdate) {
      const haveNamesChanged = update.startState.facet(namesFacet) !== update.state.facet(namesFacet);
      this.decorations = haveNamesChanged
        ? decorator.createDeco(update.view)
        : decorator.updateDeco(update, this.decorations);
    }
  },
  {
    decorations: plugin => plugin.decorations,
    provide: plugin => EditorView.atomicRanges.of(view => view.plugin(plugin)?.decorations ?? Decoration.none),
  },
);

/** Completes a placeholder after `<` or `@`, or on Ctrl-Space. */
function complete(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/[<@][\p{L}\p{N} _-]*/u);
  if (typed === null && !context.explicit) return null;
  const options = placeholdersOf(context.state.facet(namesFacet)).map(({ text, label, detail }) => ({
    label: typed ? `${typed.text.charAt(0)}${label}` : label,
    displayLabel: label,
    detail,
    apply: text,
    type: text.startsWith('<message') ? 'function' : 'variable',
  }));
  return { from: typed?.from ?? context.pos, options, validFor: /^[<@][\p{L}\p{N} _-]*$/u };
}

const theme = EditorView.theme({
  '&': { fontSize: '0.875rem', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': {
    minHeight: '4.2rem',
    padding: '0.6rem 0',
    fontFamily: 'var(--mantine-font-family)',
    lineHeight: '1.6',
    caretColor: 'var(--mantine-color-text)',
  },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-scroller': { maxHeight: '24rem' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '.cm-placeholder-name': {
    padding: '0.05rem 0.4rem',
    borderRadius: '0.35rem',
    background: 'var(--mantine-color-brand-light)',
    color: 'var(--mantine-color-brand-light-color)',
    fontSize: '0.82rem',
    fontWeight: '500',
  },
  '.cm-placeholder-unknown': {
    background: 'var(--mantine-color-red-light)',
    color: 'var(--mantine-color-red-light-color)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-md)',
    background: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    boxShadow: 'var(--mantine-shadow-md)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family)', maxHeight: '14rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.6rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--mantine-primary-color-filled)',
    color: '#fff',
  },
  '.cm-completionDetail': { marginLeft: '0.75rem', fontStyle: 'normal', fontSize: '0.78rem', opacity: '0.85' },
});

/** Shows placeholders by their names, which the cursor skips, and completes them. Needs a value of `namesFacet`. */
export function placeholderExtensions(): Extension {
  return [placeholderWidgets, autocompletion({ override: [complete], icons: false }), theme];
}
