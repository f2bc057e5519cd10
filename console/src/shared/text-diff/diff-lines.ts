/** A line of a comparison. */
export interface DiffLine {
  side: 'both' | 'left' | 'right';
  text: string;
}

/** The table of the comparison has at most this many cells. Longer texts are shown without marks. */
const MAX_CELLS = 400_000;

/** Compares two texts line by line, by their longest common subsequence. Null if they are too long. */
export function diffLines(left: string, right: string): DiffLine[] | null {
  const a = left.split('\n');
  const b = right.split('\n');
  if (a.length * b.length > MAX_CELLS) return null;
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? at(common, (i + 1) * width + j + 1) + 1
          : Math.max(at(common, (i + 1) * width + j), at(common, i * width + j + 1));
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ side: 'both', text: a[i++] as string });
      j++;
    } else if (j >= b.length || (i < a.length && at(common, (i + 1) * width + j) >= at(common, i * width + j + 1))) {
      lines.push({ side: 'left', text: a[i++] as string });
    } else lines.push({ side: 'right', text: b[j++] as string });
  }
  return lines;
}

const at = (table: Uint32Array, index: number) => table[index] ?? 0;
