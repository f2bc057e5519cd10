import { ActionIcon, Anchor, CopyButton, Group, SegmentedControl, Table, Text, Tooltip } from '@mantine/core';
import Markdown from 'markdown-to-jsx';
import { useMemo, useState } from 'react';
import { IconCheck, IconCopy, IconPhoto } from '@/icons';
import { JsonTree } from '@/shared/json/json-tree';

type Format = 'Text' | 'Markdown' | 'Tree' | 'Table' | 'JSON';

/** Characters of a text that are drawn. Copying takes all of them. */
const MAX_CHARACTERS = 200_000;
const MAX_TABLE_ROWS = 200;
const MAX_TABLE_COLUMNS = 20;
const IMAGE_PATH = /\.(png|jpe?g|gif|webp|svg)$/i;
/** A heading, bold text, a list, a fence or a link. The text of a link has no bracket, so that the search is linear. */
const MARKDOWN = /^#{1,4} |\*\*\S|^[-*] \S|^\d+\. \S|```|\[[^[\]]+\]\(/m;

function isImageUrl(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text) && IMAGE_PATH.test(new URL(text).pathname);
}

export interface OutputViewProps {
  /** A JSON value, or a text that may contain one. */
  value: unknown;
  label: string;
}

/** A content in a format that fits it: text, Markdown, tree, table, JSON. The user can choose another one. */
export function OutputView({ value, label }: OutputViewProps) {
  const json = useMemo(() => parseIfJson(value), [value]);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const table = useMemo(() => tableOf(json), [json]);
  const formats = formatsOf(text, json, table !== null);
  const isEmpty = typeof json === 'object' && json !== null && Object.keys(json).length === 0;
  const [chosen, setChosen] = useState<Format | null>(null);
  const format = chosen !== null && formats.includes(chosen) ? chosen : (formats[0] as Format);
  if (isEmpty)
    return (
      <Text fz="sm" c="dimmed">
        Empty
      </Text>
    );
  return (
    <>
      <Group justify="space-between" gap="xs" mb={6} wrap="nowrap" mih={28}>
        {formats.length > 1 ? (
          <SegmentedControl
            size="xs"
            data={formats}
            value={format}
            onChange={next => setChosen(next as Format)}
            aria-label={`Form of ${label}`}
          />
        ) : (
          <Text fz="xs" c="dimmed">
            {format}
          </Text>
        )}
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon aria-label={`Copy ${label}`} onClick={copy}>
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolled area, reached by the keyboard (WCAG 2.2, 2.1.1). */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above. */}
      <div className="run-scroll" role="region" aria-label={label} tabIndex={0}>
        <FormattedValue format={format} text={text} json={json} table={table} label={label} />
      </div>
    </>
  );
}

interface FormattedValueProps {
  format: Format;
  text: string;
  json: unknown;
  table: TableData | null;
  label: string;
}

function FormattedValue({ format, text, json, table, label }: FormattedValueProps) {
  if (format === 'Tree') return <JsonTree value={json} label={label} />;
  if (format === 'Table' && table) return <ValueTable {...table} />;
  const shown = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n… copy to see the rest` : text;
  if (format === 'Markdown')
    return (
      <div className="run-markdown">
        <Markdown options={MARKDOWN_OPTIONS}>{shown}</Markdown>
      </div>
    );
  if (format === 'Text' && isImageUrl(text.trim()))
    return (
      <Anchor href={text.trim()} target="_blank" rel="noreferrer" fz="sm">
        <IconPhoto size={16} style={{ verticalAlign: '-3px', marginInlineEnd: 6 }} />
        {text.trim()}
      </Anchor>
    );
  if (text === '')
    return (
      <Text fz="sm" c="dimmed">
        Empty
      </Text>
    );
  return <pre className="run-text">{format === 'JSON' ? JSON.stringify(json, null, 2) : shown}</pre>;
}

/** The page loads nothing from other hosts, so images are links. HTML in texts is not interpreted. */
const MARKDOWN_OPTIONS = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: {
    img: ({ src, alt }: { src?: string; alt?: string }) => (
      <Anchor href={src} target="_blank" rel="noreferrer">
        {alt || src}
      </Anchor>
    ),
    a: ({ href, children }: { href?: string; children?: React.ReactNode }) => (
      <Anchor href={href} target="_blank" rel="noreferrer">
        {children}
      </Anchor>
    ),
  },
};

function parseIfJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (!/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The formats that fit a content, the best one first. */
function formatsOf(text: string, json: unknown, isTable: boolean): Format[] {
  if (json !== undefined && typeof json === 'object' && json !== null)
    return isTable ? ['Table', 'Tree', 'JSON'] : ['Tree', 'JSON'];
  return MARKDOWN.test(text) ? ['Markdown', 'Text'] : ['Text'];
}

interface TableData {
  columns: string[];
  rows: Record<string, unknown>[];
  total: number;
}

/** The table of a list of objects with few members. Null: another value. */
function tableOf(json: unknown): TableData | null {
  if (!Array.isArray(json) || json.length === 0) return null;
  if (!json.every(row => typeof row === 'object' && row !== null && !Array.isArray(row))) return null;
  const rows = json.slice(0, MAX_TABLE_ROWS) as Record<string, unknown>[];
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))];
  return columns.length === 0 || columns.length > MAX_TABLE_COLUMNS ? null : { columns, rows, total: json.length };
}

function ValueTable({ columns, rows, total }: TableData) {
  return (
    <Table fz="xs" verticalSpacing={4} striped withTableBorder>
      <Table.Thead>
        <Table.Tr>
          {columns.map(column => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
          <Table.Tr key={index}>
            {columns.map(column => (
              <Table.Td key={column}>{cellText(row[column])}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
      {total > rows.length && (
        <Table.Caption>
          The first {rows.length} of {total.toLocaleString()} rows.
        </Table.Caption>
      )}
    </Table>
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
