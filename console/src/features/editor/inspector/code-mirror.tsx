import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  keymap,
  lineNumbers,
  MatchDecorator,
  placeholder as placeholderText,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Suggestion } from '../model/placeholders';
import { completeScript, completeTemplate, type ExpressionFunction, type ExpressionNames } from './completion';

export type Language = 'template' | 'javascript' | 'json';

export interface TextEditorProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  language: Language;
  isSingleLine?: boolean;
  isReadOnly?: boolean;
  hint?: string;
  /** Values for completion. */
  suggestions: readonly Suggestion[];
  /** Functions for completion. */
  functions?: readonly ExpressionFunction[];
  describedBy?: string | undefined;
  isInvalid?: boolean;
}

const marks = new MatchDecorator({
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-value' }),
});

const placeholderMarks = ViewPlugin.fromClass(
  class {
    decorations;
    constructor(view: EditorView) {
      this.decorations = marks.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = marks.updateDeco(update, this.decorations);
    }
  },
  { decorations: plugin => plugin.decorations },
);

const darkColors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: '#c1bcf4' },
  { tag: [tags.string, tags.special(tags.string)], color: '#86d9a4' },
  { tag: [tags.number, tags.bool, tags.null], color: '#f2b880' },
  { tag: tags.comment, color: '#8a93a1' },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: '#8fc7ff' },
]);

/** Line breaks, for example of a pasted text, become spaces. */
const singleLine = EditorState.transactionFilter.of(transaction =>
  transaction.newDoc.lines > 1
    ? [
        transaction,
        {
          changes: {
            from: 0,
            to: transaction.newDoc.length,
            insert: transaction.newDoc.toString().replaceAll('\n', ' '),
          },
          sequential: true,
        },
      ]
    : transaction,
);

function languageExtensions(language: Language, names: () => ExpressionNames): Extension[] {
  const completion = (source: (context: CompletionContext) => CompletionResult | null) =>
    // Without a delay: Tab, pressed as soon as the list is visible, chooses a name instead of leaving the text.
    autocompletion({ override: [source], icons: false, maxRenderedOptions: 60, interactionDelay: 0 });
  if (language === 'javascript') {
    return [javascript(), lineNumbers(), keymap.of([indentWithTab]), completion(completeScript(names))];
  }
  if (language === 'json') return [json(), lineNumbers(), completion(completeTemplate(names))];
  return [placeholderMarks, completion(completeTemplate(names))];
}

/** A CodeMirror editor with highlighting and completion. `TextField` loads this file on demand. */
export function TextEditor(props: TextEditorProps) {
  const { value, label, language, isSingleLine = false, isReadOnly = false, hint = '', describedBy, isInvalid } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latestProps = useRef(props);
  latestProps.current = props;
  const isDark = useComputedColorScheme('light') === 'dark';
  const attributes = useRef(new Compartment());
  const colors = useRef(new Compartment());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text editor is created once, later values are dispatched.
  useEffect(() => {
    const editor = new EditorView({
      parent: host.current as HTMLElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          ...languageExtensions(language, () => ({
            suggestions: latestProps.current.suggestions,
            functions: latestProps.current.functions ?? [],
          })),
          keymap.of([{ key: 'Tab', run: acceptCompletion }, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          ...(isSingleLine ? [singleLine] : [EditorView.lineWrapping]),
          EditorState.readOnly.of(isReadOnly),
          EditorView.editable.of(!isReadOnly),
          placeholderText(hint),
          attributes.current.of([]),
          colors.current.of([]),
          EditorView.updateListener.of(update => {
            if (update.docChanged) latestProps.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const contentAttributes = {
      'aria-label': label,
      // The text can be wider than its box, and a box that scrolls needs a part in the order of the tab key.
      tabindex: '0',
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    };
    view.current?.dispatch({
      effects: [
        attributes.current.reconfigure(EditorView.contentAttributes.of(contentAttributes)),
        colors.current.reconfigure(syntaxHighlighting(isDark ? darkColors : defaultHighlightStyle)),
      ],
    });
  }, [label, describedBy, isInvalid, isDark]);
  return (
    <div
      ref={host}
      className="editor-text"
      data-language={language}
      data-single={isSingleLine || undefined}
      data-invalid={isInvalid || undefined}
    />
  );
}
