import { Badge } from '@mantine/core';

/** The colours of the light variant of Mantine have too little contrast (WCAG 2.2, 1.4.3). */
export function PublishedBadge() {
  return (
    <Badge variant="light" color="green" c="light-dark(#14532d, #bbf7d0)">
      Published
    </Badge>
  );
}
