import { Badge } from '@mantine/core';

/** Number of tags that are shown. The others are in the tooltip. */
const MAX_SHOWN = 3;

export function RunTags({ tags }: { tags: readonly string[] }) {
  const rest = tags.slice(MAX_SHOWN);
  return (
    <>
      {tags.slice(0, MAX_SHOWN).map(tag => (
        <Badge key={tag} size="sm" variant="default" tt="none" fw={500} maw={160}>
          {tag}
        </Badge>
      ))}
      {rest.length > 0 && (
        <Badge size="sm" variant="default" title={rest.join(', ')}>
          +{rest.length}
        </Badge>
      )}
    </>
  );
}
