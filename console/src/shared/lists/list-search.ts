import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

/** The search parameters that every list has. */
export interface ListSearch {
  /** From 1. Absent: 1. */
  page?: number;
  /** The text to search for. */
  q?: string;
}

const DEBOUNCE_MS = 250;

/** For `validateSearch`: the page and the text of a list. Other filters are added by the route. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const page = Number(search.page);
  return {
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(typeof search.q === 'string' && search.q !== '' ? { q: search.q } : {}),
  };
}

/** Keeps only values of an enumeration, for filters in `validateSearch`. */
export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find(one => one === value);
}

/** Changes search parameters of the current screen. A changed filter starts again at page 1. */
export function useSetSearch<T extends ListSearch>(): (change: Partial<T>) => void {
  const navigate = useNavigate();
  return change => {
    void navigate({
      to: '.',
      replace: true,
      search: (previous: Record<string, unknown>) => dropEmpty({ ...previous, page: undefined, ...change }),
    } as never);
  };
}

/** A text field that filters a list: the value while typing, and what to do on input. */
export function useSearchText(text: string | undefined): { value: string; onChange: (value: string) => void } {
  const [value, setValue] = useState(text ?? '');
  const setSearch = useSetSearch();
  const apply = useDebouncedCallback((q: string) => setSearch({ q }), DEBOUNCE_MS);
  return {
    value,
    onChange: next => {
      setValue(next);
      apply(next);
    },
  };
}

function dropEmpty(search: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
}
