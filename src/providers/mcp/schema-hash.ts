import { createHash } from 'node:crypto';
import type { McpTool } from '../../engine/ports.js';

/** The members that callers and models depend on. Icons and other metadata may change. */
const HASHED_MEMBERS = ['name', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Returns a hash that identifies the definition of a tool. The order of members does not affect it. */
export function schemaHash(tool: McpTool): string {
  const members = HASHED_MEMBERS.map(member => tool[member] ?? null);
  return createHash('sha256')
    .update(JSON.stringify(sortMembers(members)))
    .digest('hex');
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs instead of an object, which would move numeric names to the front and lose `__proto__`.
  return { members: entries.map(([key, member]) => [key, sortMembers(member)]) };
}
