import { useSearch } from '@tanstack/react-router';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** The filters of the audit log in the address. */
export interface AuditSearch {
  /** Used by other sections of the screen. The audit log has a cursor. */
  page?: number;
  action?: string;
  user?: number;
  /** The first day in UTC, for example 2026-01-31. */
  from?: string;
  /** The last day in UTC, included. */
  to?: string;
}

/** Reads the filters from the address. Invalid values are left out. */
export function useAuditSearch(): AuditSearch {
  const { action, user, from, to } = useSearch({ strict: false }) as Record<string, unknown>;
  const dayOf = (value: unknown) =>
    typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  return {
    action: typeof action === 'string' ? action : undefined,
    user: Number.isInteger(user) ? Number(user) : undefined,
    from: dayOf(from),
    to: dayOf(to),
  };
}

/** The filters as input of the API. */
export function toFilter({ action, user, from, to }: AuditSearch) {
  return {
    ...(action ? { action } : {}),
    ...(user === undefined ? {} : { userId: user }),
    ...(from ? { createdAfter: new Date(from).toISOString() } : {}),
    ...(to ? { createdBefore: new Date(Date.parse(to) + DAY_MS).toISOString() } : {}),
  };
}
