import { Typography } from '@mantine/core';
import Markdown from 'markdown-to-jsx/react';

/** Markdown of other people or of models: HTML in it is shown as text, and pictures and links stay on http and https. */
export function SafeMarkdown({ text }: { text: string }) {
  return (
    <Typography>
      <Markdown
        options={{
          disableParsingRawHTML: true,
          forceBlock: true,
          sanitizer: value => (/^(https?:|mailto:|#)/i.test(value) ? value : null),
          overrides: {
            // A picture of another host would be a foreign request.
            img: ({ alt, src }: { alt?: string; src?: string }) => (
              <a href={src} rel="noreferrer nofollow ugc" target="_blank">
                {alt || src}
              </a>
            ),
            a: { props: { rel: 'noreferrer nofollow ugc', target: '_blank' } },
            // The title of the page is its only first heading.
            h1: { component: 'h2' },
          },
        }}
      >
        {text}
      </Markdown>
    </Typography>
  );
}
