import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { IconMapSearch } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { NotFoundPanel } from '@/shared/layout/problem-panel';

export function NotFoundScreen() {
  useDocumentTitle('Not found · Scenarium');
  return (
    <EmptyState
      icon={IconMapSearch}
      title="There is no such page"
      action={<Button renderRoot={props => <Link {...props} to="/" />}>Go to the start page</Button>}
    >
      The address may be mistyped, or the item was deleted.
    </EmptyState>
  );
}

/** An address with an id that no item can have looks like one of a deleted item. */
export function ItemNotFoundScreen() {
  useDocumentTitle('Not found · Scenarium');
  return <NotFoundPanel />;
}
