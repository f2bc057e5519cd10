import { Box, Checkbox, Group, Pagination, Skeleton, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ProblemPanel } from '@/shared/layout/problem-panel';

export interface Column<T> {
  id: string;
  header: ReactNode;
  cell: (row: T) => ReactNode;
  /** A CSS width. Absent: as the content needs. */
  width?: string;
  align?: 'start' | 'end';
  /** Whether the column is hidden on phones. */
  isWide?: boolean;
}

export interface DataTableProps<T> {
  /** The name of the table for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  /** Undefined while they load. */
  rows: readonly T[] | undefined;
  keyOf: (row: T) => string | number;
  /** Instead of the table if there are no rows. */
  empty: ReactNode;
  /** The query of the rows. Its error is shown, with a way to try again, instead of rows that never loaded. */
  query?: { error?: unknown; refetch: () => Promise<unknown> };
  /** Opens a row. Its first cell must contain a link to the same place, for the keyboard. */
  onOpen?: (row: T) => void;
  selection?: {
    selected: ReadonlySet<string | number>;
    onChange: (selected: Set<string | number>) => void;
  };
  /** Pages of the list. */
  pages?: ListPagesProps;
  /**
   * Instead of pages: a scrolled area that draws only visible rows. `rows` are those that are loaded.
   */
  scroll?: ScrolledRows<T>;
}

/** A frame that scrolls to the side. While it does, the keyboard reaches it (WCAG 2.2, 2.1.1). */
function WideContent({ label, children }: { label: string; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const element = area.current;
    if (!element?.firstElementChild) return;
    const observer = new ResizeObserver(() => setIsScrolled(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);
  const region = isScrolled ? { role: 'region', tabIndex: 0, 'aria-label': label } : {};
  return (
    <div ref={area} className="console-card" style={{ overflowX: 'auto' }} {...region}>
      {children}
    </div>
  );
}

export interface ListPagesProps {
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
}

export interface ScrolledRows<T> {
  height: string;
  count: number;
  /** Undefined while the row loads. */
  rowAt: (index: number) => T | undefined;
  /** Receives the indexes of the first and the last drawn row. */
  onRange: (first: number, last: number) => void;
}

/** Estimated height of a row in pixels. Close to the height of .console-table td. */
const ROW_HEIGHT = 44;
const SKELETON_ROWS = ['1', '2', '3', '4', '5'];

/** A list of objects. The service filters, sorts and pages; the address holds the choice (`list-search.ts`). */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, empty, query, pages, scroll } = props;
  if (query?.error && !rows)
    return <ProblemPanel error={query.error} onRetry={() => void query.refetch().catch(() => undefined)} />;
  if (rows && (scroll?.count ?? rows.length) === 0) return empty;
  return (
    <Box>
      {scroll && rows ? (
        <ScrolledTable {...props} scroll={scroll} />
      ) : (
        <WideContent label={label}>
          <table className="console-table" aria-label={label} aria-busy={rows === undefined}>
            <Head {...props} />
            <tbody>
              {rows === undefined
                ? SKELETON_ROWS.map(key => (
                    <tr key={key}>
                      {columns.map(({ id, isWide }) => (
                        <td key={id} data-wide={isWide || undefined}>
                          <Skeleton height={12} width="70%" />
                        </td>
                      ))}
                    </tr>
                  ))
                : rows.map(row => <Row key={props.keyOf(row)} {...props} row={row} />)}
            </tbody>
          </table>
        </WideContent>
      )}
      {pages && rows && <ListPages {...pages} />}
    </Box>
  );
}

/** The pages below a list. Nothing if all items fit on one. */
export function ListPages({ page, size, total, onPage }: ListPagesProps) {
  if (total <= size) return null;
  return (
    <Group justify="space-between" mt="sm">
      <Text fz="sm" c="dimmed" className="tabular">
        {rangeOf({ page, size, total })}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / size)}
        value={page}
        onChange={onPage}
        getControlProps={control => ({ 'aria-label': `${control} page` })}
      />
    </Group>
  );
}

function rangeOf({ page, size, total }: { page: number; size: number; total: number }): string {
  const first = (page - 1) * size + 1;
  return `${first.toLocaleString()}–${Math.min(total, page * size).toLocaleString()} of ${total.toLocaleString()}`;
}

function Head<T>({ columns, rows = [], keyOf, selection }: DataTableProps<T>) {
  const selected = rows.filter(row => selection?.selected.has(keyOf(row))).length;
  return (
    <thead>
      <tr>
        {selection && (
          <th style={{ width: '2.25rem' }}>
            <Checkbox
              size="xs"
              aria-label="Select all rows of this page"
              checked={rows.length > 0 && selected === rows.length}
              indeterminate={selected > 0 && selected < rows.length}
              onChange={event => selection.onChange(new Set(event.currentTarget.checked ? rows.map(keyOf) : []))}
            />
          </th>
        )}
        {columns.map(({ id, header, width, align, isWide }) => (
          <th key={id} scope="col" style={{ width }} data-align={align} data-wide={isWide || undefined}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row<T>({ row, columns, keyOf, onOpen, selection }: DataTableProps<T> & { row: T }) {
  const key = keyOf(row);
  const toggle = () => {
    const next = new Set(selection?.selected);
    if (!next.delete(key)) next.add(key);
    selection?.onChange(next);
  };
  return (
    <tr
      style={onOpen && { cursor: 'pointer' }}
      onClick={
        onOpen &&
        (event => {
          // Links, buttons and menus in the row keep their own action.
          if (!(event.target as Element).closest('a,button,input,label,[role="menu"],[role="dialog"]')) onOpen(row);
        })
      }
    >
      {selection && (
        <td>
          <Checkbox size="xs" aria-label="Select this row" checked={selection.selected.has(key)} onChange={toggle} />
        </td>
      )}
      {columns.map(({ id, cell, align, isWide }) => (
        <td key={id} data-align={align} data-wide={isWide || undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

type ScrolledProps<T> = DataTableProps<T> & { scroll: ScrolledRows<T> };

/** Draws only the rows near the visible area. Two empty rows have the height of those before and after. */
function ScrolledTable<T>(props: ScrolledProps<T>) {
  const { label, columns, keyOf, scroll, selection } = props;
  const { count, rowAt, onRange } = scroll;
  const area = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  const range = [items[0]?.index ?? 0, last?.index ?? 0] as const;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range is a new array at each render.
  useEffect(() => onRange(...range), [onRange, ...range]);
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (last?.end ?? 0);
  const span = columns.length + (selection ? 1 : 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would not be focusable for the linter.
    <div
      ref={area}
      className="console-card"
      role="region"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a scrolled area (WCAG 2.2, 2.1.1).
      tabIndex={0}
      style={{ height: scroll.height, overflow: 'auto' }}
    >
      <table className="console-table" aria-label={label} aria-rowcount={count}>
        <Head {...props} />
        <tbody>
          {before > 0 && <Spacer height={before} span={span} />}
          {items.map(({ index }) => {
            const row = rowAt(index);
            if (row) return <Row key={keyOf(row)} {...props} row={row} />;
            return (
              <tr key={index}>
                <td colSpan={span}>
                  <Skeleton height={12} width="40%" />
                </td>
              </tr>
            );
          })}
          {after > 0 && <Spacer height={after} span={span} />}
        </tbody>
      </table>
    </div>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
