import { closeCompletion, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { Box, Button, Group, Input, Menu, ScrollArea, Text } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { IconBraces } from '@/icons';
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
  const { parent, view } = useEditor({ label, value, onChange, names, isReadOnly });
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
          <Menu position="bottom-end" shadow="md" withinPortal width={300}>
            <Menu.Target>
              <Button size="compact-xs" variant="subtle" leftSection={<IconBraces size={14} />}>
                Insert value
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <ScrollArea.Autosize mah={280} type="auto">
                {all.map(({ text, label: name, detail }) => (
                  <Menu.Item key={text} onClick={() => insert(text)}>
                    <Text fz="sm">{name}</Text>
                    <Text fz="xs" c="dimmed">
                      {detail}
                    </Text>
                  </Menu.Item>
                ))}
              </ScrollArea.Autosize>
            </Menu.Dropdown>
          </Menu>
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

type EditorOptions = Omit<TemplateEditorProps, 'error'> & { isReadOnly: boolean };

function useEditor({ label, value, onChange, names, isReadOnly }: EditorOptions) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const namesCompartment = useRef(new Compartment());
  // biome-ignore lint/correctness/useExhaustiveDependencies: later values and names are dispatched to the same editor.
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
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return { parent, view };
}
