import { Tabs, type TabsListProps } from '@mantine/core';
import { useActiveTabInView } from './use-active-tab-in-view';

/** The list of tabs of `Tabs`. Where it is wider than the window, the active tab is scrolled into view. */
export function TabBar(props: TabsListProps) {
  return <Tabs.List ref={useActiveTabInView<HTMLDivElement>('[data-active]')} {...props} />;
}
