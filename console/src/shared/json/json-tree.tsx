import './json-tree.css';
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '@/shared/lists/count';

/** Members that are drawn at first, and that each click on the button adds. */
const MAX_CHILDREN = 100;
/** Characters of the JSON that a closed branch shows. A longer one shows its size. */
const MAX_PREVIEW = 60;

export interface JsonTreeProps {
  value: unknown;
  /** The name of the tree for screen readers. */
  label: string;
  /** Levels that are open at first. */
  open?: number;
}

/** A JSON value whose objects and lists fold. Long ones show their first members and a button for more. */
export function JsonTree({ value, label, open = 2 }: JsonTreeProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls.
    <div className="json-tree" role="group" aria-label={label}>
      <Branch value={value} depth={0} open={open} />
    </div>
  );
}

interface BranchProps {
  name?: string;
  value: unknown;
  depth: number;
  open: number;
}

function Branch({ name, value, depth, open }: BranchProps) {
  const [isOpen, setIsOpen] = useState(depth < open);
  const [shown, setShown] = useState(MAX_CHILDREN);
  if (typeof value !== 'object' || value === null)
    return (
      <div className="json-tree-row">
        {name !== undefined && <span className="json-tree-name">{name}</span>}
        <Leaf value={value} />
      </div>
    );
  const entries = Object.entries(value);
  return (
    <details open={isOpen} onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>
        {name !== undefined && <span className="json-tree-name">{name}</span>}
        <span className="json-tree-size">{previewOf(value, isOpen)}</span>
      </summary>
      {isOpen && (
        <div className="json-tree-children">
          {entries.slice(0, shown).map(([key, child]) => (
            <Branch key={key} name={key} value={child} depth={depth + 1} open={open} />
          ))}
          {entries.length > shown && (
            <Anchor component="button" type="button" fz="xs" onClick={() => setShown(shown + MAX_CHILDREN)}>
              {(entries.length - shown).toLocaleString()} more
            </Anchor>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="json-tree-text">{value === '' ? '""' : value}</span>;
  return <span className="json-tree-value">{String(value)}</span>;
}

function previewOf(value: object, isOpen: boolean): string {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const count = Array.isArray(value) ? countOf(size, 'item') : countOf(size, 'member');
  if (isOpen) return count;
  const text = JSON.stringify(value);
  return text.length <= MAX_PREVIEW ? text : count;
}
