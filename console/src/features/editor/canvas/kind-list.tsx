import { ScrollArea, Text, TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { NodeIcon } from '@/canvas/node-icon';
import { IconSearch } from '@/icons';
import { findKinds, type Kind, type Kinds } from '../model/kinds';

/** Media type of a dragged kind. Its data is the type of the kind. */
export const DRAG_TYPE = 'application/x-scenarium-kind';

export interface KindListProps {
  kinds: Kinds;
  onPick: (type: string) => void;
  onClose: () => void;
  maxHeight?: number | string;
  /** Whether the new node follows another one. Kinds that only start a graph are left out then. */
  isNext?: boolean;
  /** Whether the search takes the focus. With an empty canvas it does not, so that the keys of the editor and paste work. */
  isFocused?: boolean;
}

/** The searchable list of kinds. A kind is added by a click, by Enter, or by dragging it to the canvas. */
export function KindList({ kinds, onPick, onClose, maxHeight = 420, isNext = false, isFocused = true }: KindListProps) {
  const [words, setWords] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const groups = useMemo(() => {
    const all = [...kinds.values()].filter(({ category }) => !isNext || category !== 'START');
    return findKinds(all, words);
  }, [kinds, words, isNext]);
  const flat = groups.flatMap(group => group.kinds);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && flat.length > 0) {
      event.preventDefault();
      const next = (active + step + flat.length) % flat.length;
      setActive(next);
      document.getElementById(`${id}-${flat[next]?.type}`)?.scrollIntoView({ block: 'nearest' });
    }
    const chosen = flat[active];
    if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      onPick(chosen.type);
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <div className="editor-kinds">
      <TextInput
        value={words}
        onChange={event => {
          setWords(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        placeholder="Search nodes"
        aria-label="Search nodes"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={flat[active] ? `${id}-${flat[active].type}` : undefined}
        leftSection={<IconSearch size={16} />}
        autoFocus={isFocused}
        m={8}
      />
      <ScrollArea.Autosize mah={maxHeight} type="auto" scrollbarSize={8} scrollbars="y">
        <div id={`${id}-list`} role="listbox" aria-label="Kinds of nodes">
          {groups.map(({ title, kinds: list }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options of a listbox.
            <div key={title} role="group" aria-label={title}>
              <Text fz="xs" c="dimmed" fw={500} px={14} pt={8} pb={2} aria-hidden>
                {title}
              </Text>
              {list.map(kind => (
                <KindOption
                  key={kind.type}
                  id={`${id}-${kind.type}`}
                  kind={kind}
                  isActive={flat[active] === kind}
                  onPick={onPick}
                />
              ))}
            </div>
          ))}
        </div>
        {flat.length === 0 && (
          <Text fz="sm" c="dimmed" p="md" ta="center">
            No node matches “{words}”.
          </Text>
        )}
      </ScrollArea.Autosize>
    </div>
  );
}

interface KindOptionProps {
  id: string;
  kind: Kind;
  isActive: boolean;
  onPick: (type: string) => void;
}

function KindOption({ id, kind: { type, title, description, uiHints }, isActive, onPick }: KindOptionProps) {
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className="editor-kind"
      title={description}
      draggable
      onDragStart={event => {
        event.dataTransfer.setData(DRAG_TYPE, type);
        event.dataTransfer.effectAllowed = 'copy';
      }}
      onClick={() => onPick(type)}
    >
      <NodeIcon name={uiHints.icon} color={uiHints.color} size={28} />
      <span>
        <strong>{title}</strong>
        <small>{firstSentence(description)}</small>
      </span>
    </UnstyledButton>
  );
}

function firstSentence(text: string): string {
  const [first = ''] = text.split(/(?<=\.)\s/);
  return first.replaceAll('`', '').replace(/\.$/, '');
}
