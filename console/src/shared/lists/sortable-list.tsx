import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { ActionIcon } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconGripVertical } from '@/icons';

export interface SortableListProps<T> {
  /** The name of the list for screen readers. */
  label: string;
  items: readonly T[];
  keyOf: (item: T) => number;
  /** The name of an item for screen readers. */
  nameOf: (item: T) => string;
  /** Moves an item to the place of another one. The list returns to its order if the result is false. */
  onMove: (item: T, target: T) => Promise<boolean>;
  isDisabled?: boolean;
  className?: string;
  children: (item: T, handle: ReactNode, index: number) => ReactNode;
}

const NOT_MOVED: readonly number[] = [];

/** A list that is ordered by drag, or by the keyboard: space, arrows, space. */
export function SortableList<T>(props: SortableListProps<T>) {
  const { label, items, keyOf, nameOf, onMove, isDisabled = false, className, children } = props;
  /** The keys in the order after a drop, until `onMove` has finished. */
  const [moved, setMoved] = useState<readonly number[]>(NOT_MOVED);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const byKey = new Map(items.map(item => [keyOf(item), item]));
  const isMoved = moved.length === items.length && moved.every(key => byKey.has(key));
  const keys = isMoved ? moved : items.map(keyOf);
  const drop = async ({ active, over }: DragEndEvent) => {
    const from = keys.indexOf(Number(active.id));
    const to = over === null ? -1 : keys.indexOf(Number(over.id));
    const item = byKey.get(Number(active.id));
    const target = byKey.get(Number(over?.id));
    if (from === to || to < 0 || item === undefined || target === undefined) return;
    setMoved(arrayMove([...keys], from, to));
    await onMove(item, target);
    setMoved(NOT_MOVED);
  };
  const nameOfKey = (id: number | string) => {
    const item = byKey.get(Number(id));
    return item === undefined ? '' : nameOf(item);
  };
  const announcements = {
    onDragStart: ({ active }: { active: { id: number | string } }) => `${nameOfKey(active.id)} is lifted.`,
    onDragOver: ({ active, over }: DragEndEvent) =>
      over ? `${nameOfKey(active.id)} is at place ${keys.indexOf(Number(over.id)) + 1}.` : undefined,
    onDragEnd: ({ active }: DragEndEvent) => `${nameOfKey(active.id)} is dropped.`,
    onDragCancel: ({ active }: { active: { id: number | string } }) => `${nameOfKey(active.id)} stays where it was.`,
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={event => void drop(event)}
      accessibility={{ announcements }}
    >
      <SortableContext items={[...keys]} strategy={verticalListSortingStrategy} disabled={isDisabled}>
        <ul className={`console-sortable ${className ?? ''}`} aria-label={label}>
          {keys.map((key, index) => {
            const item = byKey.get(key) as T;
            return (
              <SortableItem key={key} id={key} name={nameOf(item)} isDisabled={isDisabled}>
                {handle => children(item, handle, index)}
              </SortableItem>
            );
          })}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface SortableItemProps {
  id: number;
  name: string;
  isDisabled: boolean;
  children: (handle: ReactNode) => ReactNode;
}

function SortableItem({ id, name, isDisabled, children }: SortableItemProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  const offset = transform === null ? undefined : `translate3d(${transform.x}px, ${transform.y}px, 0)`;
  const handle = isDisabled ? null : (
    <ActionIcon
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={`Move ${name}`}
      size="sm"
      style={{ cursor: 'grab', touchAction: 'none' }}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  );
  return (
    <li ref={setNodeRef} data-dragging={isDragging || undefined} style={{ transform: offset, transition }}>
      {children(handle)}
    </li>
  );
}
