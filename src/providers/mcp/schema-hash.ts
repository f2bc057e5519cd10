import { createHash } from 'node:crypto';
import type { McpTool } from '../../engine/ports.js';

/** What a tool promises to whoever calls it or lets a model choose it; icons and other decoration may change. */
const PROMISES = ['name', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Tells whether a tool is still the one that somebody looked at. The order of members does not count. */
export function schemaHash(tool: McpTool): string {
  const promised = PROMISES.map(member => tool[member] ?? null);
  return createHash('sha256')
    .update(JSON.stringify(sortMembers(promised)))
    .digest('hex');
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs instead of an object: members whose names are numbers would be put first, and `__proto__` would be lost.
  return { members: entries.map(([key, member]) => [key, sortMembers(member)]) };
}
