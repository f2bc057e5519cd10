import { closeCompletion, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { Box, Button, Group, Input, Text } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { IconBraces } from '@/icons';
import { ChoiceButton } from '@/shared/lists/choice-button';
import { type Names, placeholdersOf } from '../names';
import classes from '../scenarios.module.css';
import { namesFacet, placeholderExtensions } from './placeholder-extensions';

export interface TemplateEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  names: Names;
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** Edits a text with placeholders. It shows each placeholder by the name of its variable or message. */
export function TemplateEditor({ label, value, onChange, names, error, isReadOnly = false }: TemplateEditorProps) {
  const errorId = useId();
  const { parent, view } = useEditor({
    ...{ label, value, onChange, names, isReadOnly },
    errorId: error === undefined ? null : errorId,
  });
  const insert = (text: string) => {
    const editor = view.current;
    if (editor === null) return;
    editor.dispatch(editor.state.replaceSelection(text));
    editor.focus();
  };
  const all = placeholdersOf(names);
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <Text component="span" fz="sm" fw={600}>
          {label}
        </Text>
        {!isReadOnly && all.length > 0 && (
          <ChoiceButton
            label="Values"
            choices={all.map(({ text, label: name, detail }) => ({ value: text, label: name, detail }))}
            onChoose={insert}
          >
            {target => (
              <Button {...target} size="compact-xs" variant="subtle" leftSection={<IconBraces size={14} />}>
                Insert value
              </Button>
            )}
          </ChoiceButton>
        )}
      </Group>
      <div ref={parent} className={classes.editor} data-error={error !== undefined || undefined} />
      {error !== undefined && (
        <Input.Error id={errorId} mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </Box>
  );
}

interface EditorOptions extends Omit<TemplateEditorProps, 'error'> {
  isReadOnly: boolean;
  /** The id of the element with the error. Null: the text has none. */
  errorId: string | null;
}

/** The attributes that connect the text with its error (WCAG 2.2, 3.3.1). */
function errorAttributes(errorId: string | null) {
  return EditorView.contentAttributes.of(
    errorId === null ? {} : { 'aria-invalid': 'true', 'aria-describedby': errorId },
  );
}

function useEditor({ label, value, onChange, names, isReadOnly, errorId }: EditorOptions) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const namesCompartment = useRef(new Compartment());
  const errorCompartment = useRef(new Compartment());
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values, names and errors are dispatched to the same editor.
  useEffect(() => {
    const editor = new EditorView({
      parent: parent.current as HTMLElement,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          keymap.of([{ key: 'Mod-i', run: startCompletion }, ...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
          placeholder('Write the text. Type < to insert a variable or the result of a message.'),
          EditorState.readOnly.of(isReadOnly),
          EditorView.editable.of(!isReadOnly),
          namesCompartment.current.of(namesFacet.of(names)),
          errorCompartment.current.of(errorAttributes(errorId)),
          placeholderExtensions(),
          EditorView.updateListener.of(update => {
            if (update.docChanged) latestOnChange.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      closeCompletion(editor);
      editor.destroy();
      view.current = null;
    };
  }, [label, isReadOnly]);
  useEffect(() => {
    view.current?.dispatch({ effects: namesCompartment.current.reconfigure(namesFacet.of(names)) });
  }, [names]);
  useEffect(() => {
    view.current?.dispatch({ effects: errorCompartment.current.reconfigure(errorAttributes(errorId)) });
  }, [errorId]);
  useEffect(() => {
    const editor = view.current;
    // The editor joins lines with \n. A text with other line ends is the same text, so that it does not count as edited.
    if (editor === null || editor.state.doc.toString() === value.replaceAll(/\r\n?/g, '\n')) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return { parent, view };
}
