import { Combobox, type ComboboxProps, Group, Text, useCombobox } from '@mantine/core';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { IconCheck } from '@/icons';
import { MAX_OPTIONS } from './whole-list';

export interface Choice {
  value: string;
  label: string;
  /** A second line. */
  detail?: string;
}

/** Properties that the button must have. */
export interface ChoiceTargetProps {
  onClick: () => void;
  'aria-haspopup': 'listbox';
  'aria-expanded': boolean;
}

export interface ChoiceButtonProps {
  /** The name of the list for screen readers, for example "Prompts". */
  label: string;
  choices: readonly Choice[];
  /** The current choice, which has a mark. */
  value?: string | undefined;
  onChoose: (value: string) => void;
  onOpenChange?: (isOpen: boolean) => void;
  position?: NonNullable<ComboboxProps['position']>;
  /** Pixels. Default: 300. */
  width?: number;
  /** Below the list. */
  footer?: (close: () => void) => ReactNode;
  /** The button. */
  children: (props: ChoiceTargetProps) => ReactElement;
}

/** A button that opens a list with a search, which may have thousands of items. */
export function ChoiceButton(props: ChoiceButtonProps) {
  const { label, choices, value, onChoose, onOpenChange } = props;
  const { position = 'bottom-end', width = 300, footer, children } = props;
  const [text, setText] = useState('');
  const listId = useId();
  const combobox = useCombobox({
    onOpenedChange: isOpen => onOpenChange?.(isOpen),
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: source => {
      combobox.resetSelectedOption();
      setText('');
      if (source === 'keyboard') combobox.focusTarget();
    },
  });
  const choose = (chosen: string) => {
    combobox.closeDropdown();
    combobox.focusTarget();
    // After the button has the focus, because `onChoose` may move it.
    setTimeout(() => onChoose(chosen));
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      position={position}
      width={width}
      shadow="md"
      keepMounted={false}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        {children({
          onClick: () => combobox.toggleDropdown(),
          'aria-haspopup': 'listbox',
          'aria-expanded': combobox.dropdownOpened,
        })}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder="Search"
          value={text}
          onChange={event => {
            setText(event.currentTarget.value);
            combobox.resetSelectedOption();
          }}
        />
        <Choices id={listId} label={label} choices={choices} value={value} text={text.trim().toLowerCase()} />
        {footer && <Combobox.Footer>{footer(() => combobox.closeDropdown())}</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface ChoicesProps extends Pick<ChoiceButtonProps, 'label' | 'choices' | 'value'> {
  id: string;
  /** A part of the labels to show, in lower case. */
  text: string;
}

function Choices({ id, label, choices, value, text }: ChoicesProps) {
  const found = choices.filter(choice => choice.label.toLowerCase().includes(text));
  const hidden = found.length - MAX_OPTIONS;
  return (
    <>
      <Combobox.Options id={id} aria-label={label} mah={300} style={{ overflowY: 'auto' }}>
        {found.slice(0, MAX_OPTIONS).map(choice => (
          <Combobox.Option key={choice.value} value={choice.value} active={choice.value === value}>
            <Group justify="space-between" wrap="nowrap">
              <Text truncate fz="sm">
                {choice.label}
              </Text>
              {choice.value === value && <IconCheck size={15} />}
            </Group>
            {choice.detail !== undefined && (
              <Text fz="xs" c="dimmed">
                {choice.detail}
              </Text>
            )}
          </Combobox.Option>
        ))}
        {found.length === 0 && text !== '' && <Combobox.Empty>Nothing found</Combobox.Empty>}
      </Combobox.Options>
      {hidden > 0 && (
        <Text fz="xs" c="dimmed" p="xs">
          {hidden.toLocaleString()} more: search for them.
        </Text>
      )}
    </>
  );
}
