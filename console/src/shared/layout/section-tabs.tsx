import { Box } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useActiveTabInView } from './use-active-tab-in-view';

export interface SectionTab {
  label: string;
  to: LinkProps['to'];
  params: Record<string, string>;
}

/** Links between the screens of one area, below its title. */
export function SectionTabs({ label, tabs }: { label: string; tabs: SectionTab[] }) {
  const bar = useActiveTabInView<HTMLElement>('[data-status=active]');
  return (
    <Box ref={bar} component="nav" className="console-tabs" aria-label={label} mb="md">
      {tabs.map(({ label: text, to, params }) => (
        <Link key={text} to={to} params={params as never} activeOptions={{ exact: true, includeSearch: false }}>
          {text}
        </Link>
      ))}
    </Box>
  );
}
