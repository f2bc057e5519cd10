import { Box } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

export interface SectionTab {
  label: string;
  to: LinkProps['to'];
  params: Record<string, string>;
}

/** Links between the screens of one area, below its title. */
export function SectionTabs({ label, tabs }: { label: string; tabs: SectionTab[] }) {
  return (
    <Box component="nav" className="console-tabs" aria-label={label} mb="md">
      {tabs.map(({ label: text, to, params }) => (
        <Link key={text} to={to} params={params as never} activeOptions={{ exact: true, includeSearch: false }}>
          {text}
        </Link>
      ))}
    </Box>
  );
}
