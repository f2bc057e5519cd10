import { Box, Group, Pagination, Skeleton, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
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

const NO_PAGES: ListPagesProps = { page: 1, size: 1, total: 0, onPage: () => undefined };

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
  const { label, columns, empty, query, pages, scroll } = props;
  const drawRow = useRowView(props);
  const isPastEnd = usePastEnd(pages, props.rows?.length);
  const rows = isPastEnd ? undefined : props.rows;
  if (query?.error && !props.rows)
    return <ProblemPanel error={query.error} onRetry={() => void query.refetch().catch(() => undefined)} />;
  if (rows && (scroll?.count ?? rows.length) === 0) return empty;
  return (
    <Box>
      {scroll && rows ? (
        <ScrolledTable {...props} scroll={scroll} drawRow={drawRow} />
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
                : rows.map(drawRow)}
            </tbody>
          </table>
        </WideContent>
      )}
      {pages && rows && <ListPages {...pages} />}
    </Box>
  );
}

/**
 * Whether the page has no items although the list has some, for example after its last item was deleted. The hook then goes to the last
 * page, which loads meanwhile. `count` is the number of items of the page, undefined while they load.
 */
export function usePastEnd(pages: ListPagesProps | undefined, count: number | undefined): boolean {
  const { page, size, total, onPage } = pages ?? NO_PAGES;
  const lastPage = Math.ceil(total / size);
  const target = count === 0 && total > 0 && page > lastPage ? lastPage : null;
  const latestOnPage = useRef(onPage);
  useLayoutEffect(() => {
    latestOnPage.current = onPage;
  });
  useEffect(() => {
    if (target !== null) latestOnPage.current(target);
  }, [target]);
  return target !== null;
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
            <SelectionBox
              label="Select all rows of this page"
              isChecked={rows.length > 0 && selected === rows.length}
              isPartial={selected > 0 && selected < rows.length}
              onChange={isChecked => selection.onChange(new Set(isChecked ? rows.map(keyOf) : []))}
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

interface SelectionBoxProps {
  label: string;
  isChecked: boolean;
  isPartial?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A checkbox of the browser: long tables draw dozens. */
function SelectionBox({ label, isChecked, isPartial = false, onChange }: SelectionBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isPartial;
  }, [isPartial]);
  return (
    <input
      ref={input}
      type="checkbox"
      className="console-checkbox"
      aria-label={label}
      checked={isChecked}
      onChange={event => onChange(event.currentTarget.checked)}
    />
  );
}

interface RowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  /** Undefined if rows cannot be selected. */
  isSelected: boolean | undefined;
  onToggle: (row: T) => void;
  onOpen: ((row: T) => void) | undefined;
}

/** Drawn again only if its own properties change: the others scroll and load in the meantime. */
const Row = memo(function Row<T>({ row, columns, isSelected, onToggle, onOpen }: RowProps<T>) {
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
      {isSelected !== undefined && (
        <td>
          <SelectionBox label="Select this row" isChecked={isSelected} onChange={() => onToggle(row)} />
        </td>
      )}
      {columns.map(({ id, cell, align, isWide }) => (
        <td key={id} data-align={align} data-wide={isWide || undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <T>(props: RowProps<T>) => ReactNode;

/** Draws a row, with handlers that stay the same objects while the properties of the table change. */
function useRowView<T>(props: DataTableProps<T>): (row: T) => ReactNode {
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const open = useCallback((row: T) => latest.current.onOpen?.(row), []);
  const toggle = useCallback((row: T) => {
    const { selection, keyOf } = latest.current;
    const next = new Set(selection?.selected);
    if (!next.delete(keyOf(row))) next.add(keyOf(row));
    selection?.onChange(next);
  }, []);
  const { columns, keyOf, onOpen, selection } = props;
  return row => {
    const isSelected = selection?.selected.has(keyOf(row));
    return <Row key={keyOf(row)} {...{ row, columns, isSelected }} onToggle={toggle} onOpen={onOpen && open} />;
  };
}

type ScrolledProps<T> = DataTableProps<T> & { scroll: ScrolledRows<T>; drawRow: (row: T) => ReactNode };

/** Draws only the rows near the visible area. Two empty rows have the height of those before and after. */
function ScrolledTable<T>(props: ScrolledProps<T>) {
  const { label, columns, scroll, selection, drawRow } = props;
  const { count, rowAt, onRange } = scroll;
  const area = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => area.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
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
            if (row) return drawRow(row);
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
