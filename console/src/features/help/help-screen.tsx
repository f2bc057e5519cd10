import './help.css';
import { Typography } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import Markdown from 'markdown-to-jsx/react';
import { useEffect } from 'react';
import { NotFoundScreen } from '@/app/not-found-screen';
import { SectionTabs } from '@/shared/layout/section-tabs';
import expressions from '../../../../docs/expressions.md?raw';
import nodes from '../../../../docs/nodes.md?raw';

const PAGES: Record<string, string> = { nodes, expressions };
const TABS = [
  { label: 'Nodes', to: '/help/$page' as const, params: { page: 'nodes' } },
  { label: 'Expressions', to: '/help/$page' as const, params: { page: 'expressions' } },
];

/** The id of the heading that the hash of an address names. */
function chapterOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

/** A page of the documentation of this release. */
export function HelpScreen() {
  const { page = '' } = useParams({ strict: false }) as { page?: string };
  const text = PAGES[page];
  // The browser looks for the chapter in the address before the page is drawn, and does not find it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has its own chapters.
  useEffect(() => {
    document.getElementById(chapterOf(location.hash))?.scrollIntoView();
  }, [page]);
  if (text === undefined) return <NotFoundScreen />;
  return (
    <>
      <SectionTabs label="Pages" tabs={TABS} />
      <Typography className="help-page">
        <Markdown options={{ forceBlock: true, disableParsingRawHTML: true, overrides: { a: HelpLink } }}>
          {text}
        </Markdown>
      </Typography>
    </>
  );
}

/** Links between these pages. The other pages of the repository are not part of the console. */
function HelpLink({ href = '', children }: { href?: string; children?: React.ReactNode }) {
  const [, page, anchor = ''] = /^(\w+)\.md(#.*)?$/.exec(href) ?? [];
  if (page !== undefined && Object.hasOwn(PAGES, page)) return <a href={`/help/${page}${anchor}`}>{children}</a>;
  if (/^(#|https?:)/.test(href)) return <a href={href}>{children}</a>;
  return <span>{children}</span>;
}
