import type { AuditDetail } from './audit-detail.type.js';

/** Maximum number of values of an entry. Further ones are only in `detail`. */
const MAX_DETAILS = 200;

/** Lists the values of the details of an action with their paths, in their order. */
export function toAuditDetails(detail: unknown): AuditDetail[] {
  return [...detailsIn(detail, '')].slice(0, MAX_DETAILS);
}

function* detailsIn(value: unknown, path: string): Generator<AuditDetail> {
  const empty = { path, text: null, number: null, isTrue: null };
  if (typeof value === 'string') yield { ...empty, kind: 'text', text: value };
  else if (typeof value === 'number') yield { ...empty, kind: 'number', number: value };
  else if (typeof value === 'boolean') yield { ...empty, kind: 'boolean', isTrue: value };
  else if (typeof value !== 'object' || value === null) yield { ...empty, kind: 'null' };
  else {
    const members = Object.entries(value);
    for (const [name, member] of members) yield* detailsIn(member, path === '' ? name : `${path}.${name}`);
    if (members.length === 0 && path !== '') yield { ...empty, kind: 'empty' };
  }
}
