import { ActionIcon, Box, Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconChevronRight, IconPlus, IconTrash } from '@/icons';
import { isObject, type JsonObject, listOf, textOf } from '@/shared/json/json-value';
import { fieldsBelow, shapeOf } from '../model/fields';
import type { Field, Kind } from '../model/kinds';
import { Description, type ElementProps, FieldView } from './field';
import { JsonElement } from './json-element';

/** A list of objects with a form each. Lists of other values are edited as JSON. */
export function ListElement(props: ElementProps) {
  const { field, path, value, shape, form, describedBy } = props;
  const { kind, setList, isReadOnly } = form;
  const fields = fieldsBelow(kind, field.path).filter(({ widget }) => widget !== 'HIDDEN');
  const items = listOf(value);
  const isForm = fields.length > 0 && (value === undefined || value === null || Array.isArray(value));
  const indexes = path.filter(name => /^\d+$/.test(name)).map(Number);
  const itemTitle = toSingular(field.title);
  const move = (from: number, to: number) => {
    const next = [...items];
    next.splice(to, 0, ...next.splice(from, 1));
    setList(path, next, mappingOf(items, next));
  };
  return (
    <Stack gap={8} role="group" aria-label={field.title} aria-describedby={describedBy}>
      <div className="editor-field-label">
        <span>{field.title}</span>
        <Description text={shape.description} />
      </div>
      {!isForm && <JsonElement {...props} />}
      {isForm &&
        items.map((item, index) => (
          <Item
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity of their own.
            key={index}
            title={`${itemTitle} ${index + 1}`}
            item={item}
            fields={fields}
            indexes={[...indexes, index]}
            isReadOnly={isReadOnly}
            onUp={index > 0 ? () => move(index, index - 1) : undefined}
            onDown={index < items.length - 1 ? () => move(index, index + 1) : undefined}
            onRemove={() => {
              const next = items.toSpliced(index, 1);
              setList(path, next, mappingOf(items, next));
            }}
          />
        ))}
      {isForm && !isReadOnly && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            setList(
              path,
              [...items, newItem(kind, field, items.length)],
              items.map((_, index) => index),
            )
          }
        >
          Add {itemTitle.toLowerCase()}
        </Button>
      )}
    </Stack>
  );
}

/** The new index of each old item, or null if it was removed. */
const mappingOf = (old: readonly unknown[], next: readonly unknown[]) =>
  old.map(item => {
    const index = next.indexOf(item);
    return index === -1 ? null : index;
  });

const toSingular = (title: string) => title.replace(/ies$/, 'y').replace(/s$/, '');

/** An item with the members that the schema requires. A message starts with the role `user`, an id is numbered. */
function newItem(kind: Kind, list: Field, count: number): JsonObject {
  const entries = fieldsBelow(kind, list.path).flatMap(({ path, title, widget }) => {
    const { isRequired, values, examples, types } = shapeOf(kind, path);
    const names = path.slice(`${list.path}.*.`.length).split('.');
    const [name] = names;
    if (!isRequired || names.length !== 1 || name === undefined) return [];
    const proposed = values ?? (widget === 'SELECT' ? examples : []);
    if (proposed.length > 0) return [[name, proposed.includes('user') ? 'user' : proposed[0]]];
    // The id of an input field has the title "Key".
    if (name === 'id') return [[name, `${title === 'Key' ? 'field' : name}_${count + 1}`]];
    return types.has('object') || types.has('array') ? [] : [[name, '']];
  });
  return Object.fromEntries(entries) as JsonObject;
}

interface ItemProps {
  title: string;
  item: unknown;
  fields: readonly Field[];
  indexes: readonly number[];
  isReadOnly: boolean;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: () => void;
}

function Item({ title, item, fields, indexes, isReadOnly, onUp, onDown, onRemove }: ItemProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const main = fields.filter(({ group }) => group !== 'ADVANCED');
  const more = fields.filter(({ group }) => group === 'ADVANCED');
  const summary = isObject(item) ? textOf(item.title) || textOf(item.name) || textOf(item.id) : '';
  // At least 24 pixels, the minimum of WCAG 2.2 for targets next to each other.
  const buttonProps = { size: 26, disabled: isReadOnly } as const;
  return (
    <Box className="editor-item" p={10} pt={6}>
      <Group justify="space-between" wrap="nowrap" gap={4} mb={4}>
        <Text fz="xs" c="dimmed" fw={500} truncate>
          {summary === '' ? title : `${title} · ${summary}`}
        </Text>
        <Group gap={0} wrap="nowrap">
          {onUp && (
            <ActionIcon {...buttonProps} aria-label={`Move ${title} up`} onClick={onUp}>
              <IconArrowUp size={14} />
            </ActionIcon>
          )}
          {onDown && (
            <ActionIcon {...buttonProps} aria-label={`Move ${title} down`} onClick={onDown}>
              <IconArrowDown size={14} />
            </ActionIcon>
          )}
          <ActionIcon {...buttonProps} aria-label={`Remove ${title}`} onClick={onRemove}>
            <IconTrash size={14} />
          </ActionIcon>
        </Group>
      </Group>
      <Stack gap={8}>
        {main.map(field => (
          <FieldView key={field.path} field={field} items={indexes} />
        ))}
        {more.length > 0 && (
          <>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              aria-expanded={isOpen}
              onClick={toggle}
              leftSection={<IconChevronRight size={13} style={{ rotate: isOpen ? '90deg' : undefined }} />}
              style={{ alignSelf: 'flex-start' }}
            >
              More options
            </Button>
            <Collapse expanded={isOpen}>
              <Stack gap={8}>
                {more.map(field => (
                  <FieldView key={field.path} field={field} items={indexes} />
                ))}
              </Stack>
            </Collapse>
          </>
        )}
      </Stack>
    </Box>
  );
}
