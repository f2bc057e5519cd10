import { Badge } from '@mantine/core';

/** Marks the published version. Its color is set because that of Mantine has too little contrast (WCAG 2.2, 1.4.3). */
export function PublishedBadge() {
  return (
    <Badge variant="light" color="green" c="light-dark(#14532d, #bbf7d0)">
      Published
    </Badge>
  );
}
