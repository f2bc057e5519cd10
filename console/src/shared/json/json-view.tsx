import { ActionIcon, Box, CopyButton, ScrollArea, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@/icons';

/** More text would make the page slow. The button copies all of it. */
const MAX_CHARACTERS = 200_000;

export interface JsonViewProps {
  value: unknown;
  /** Beyond this height the content scrolls. */
  maxHeight?: number | string;
  /** The name of the content for screen readers. */
  label?: string;
}

/** A value of the API as formatted JSON with a button that copies it. Texts are shown without quotes. */
export function JsonView({ value, maxHeight = 320, label = 'JSON' }: JsonViewProps) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  const isCut = text.length > MAX_CHARACTERS;
  return (
    <Box pos="relative" className="console-json">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              aria-label={`Copy ${label}`}
              onClick={copy}
              pos="absolute"
              top={6}
              right={10}
              style={{ zIndex: 1 }}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      <ScrollArea.Autosize
        mah={maxHeight}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <pre>{isCut ? `${text.slice(0, MAX_CHARACTERS)}\n… copy to see the rest` : text}</pre>
      </ScrollArea.Autosize>
    </Box>
  );
}
