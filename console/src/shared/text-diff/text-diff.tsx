import './text-diff.css';
import { useMemo } from 'react';
import { diffLines } from './diff-lines';

/** Two texts side by side; changed lines have a sign and a color. */
export function TextDiff({ left, right }: { left: string; right: string }) {
  // Null: the texts are too long to compare and are shown without marks.
  const lines = useMemo(() => diffLines(left, right), [left, right]);
  const column = (side: 'left' | 'right', text: string) => {
    const shown = lines?.filter(line => line.side === 'both' || line.side === side) ?? [
      { side: 'both' as const, text },
    ];
    const name = side === 'left' ? 'Left' : 'Right';
    return (
      // biome-ignore lint/a11y/useSemanticElements: a scrolled area, reached by the keyboard (WCAG 2.2, 2.1.1).
      // biome-ignore lint/a11y/noNoninteractiveTabindex: as above.
      <div className="compare-text" role="region" aria-label={name} tabIndex={0}>
        {shown.map((line, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
            key={index}
            data-changed={line.side === 'both' ? undefined : side}
            data-sign={line.side === 'both' ? '' : side === 'left' ? '−' : '+'}
          >
            {line.text}
          </div>
        ))}
      </div>
    );
  };
  return (
    <div className="compare-pair">
      {column('left', left)}
      {column('right', right)}
    </div>
  );
}

/** A value of any type as a text to compare. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  return typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2);
}

/** Indents JSON, so that each member is on its own line. Other texts stay as they are. */
export function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
