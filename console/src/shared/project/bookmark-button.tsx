import { ActionIcon } from '@mantine/core';
import { IconBookmark, IconBookmarkFilled } from '@/icons';
import { useAction } from '@/shared/forms/use-action';
import { AddBookmarkDocument, RemoveBookmarkDocument } from './bookmark.generated';

interface BookmarkButtonProps {
  workflow: { id: number; title: string; isBookmarked: boolean };
  /** Names of the queries to repeat, because their order depends on bookmarks. */
  refetchQueries?: string[];
}

/** Bookmarks a workflow for the viewer, or removes the bookmark. */
export function BookmarkButton({ workflow: { id, title, isBookmarked }, refetchQueries = [] }: BookmarkButtonProps) {
  const add = useAction(AddBookmarkDocument, { failure: 'Not bookmarked', refetchQueries });
  const remove = useAction(RemoveBookmarkDocument, { failure: 'Bookmark not removed', refetchQueries });
  return (
    <ActionIcon
      aria-label={`Bookmark ${title}`}
      aria-pressed={isBookmarked}
      loading={add.isBusy || remove.isBusy}
      onClick={() => void (isBookmarked ? remove.run({ id }) : add.run({ id }))}
    >
      {isBookmarked ? <IconBookmarkFilled size={17} /> : <IconBookmark size={17} />}
    </ActionIcon>
  );
}
