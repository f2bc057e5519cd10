import { useQuery } from '@apollo/client/react';
import { Anchor, Box, Button, Group, Highlight, Paper, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { IconSearch, IconZoomQuestion } from '@/icons';
import { EmptyState } from '@/shared/layout/empty-state';
import { PageHeader } from '@/shared/layout/page-header';
import { LinesSkeleton, QueryView } from '@/shared/layout/query-view';
import { MAX_OPTIONS } from '@/shared/lists/whole-list';
import { useDocumentChoices } from '@/shared/project/use-choices';
import { useProjectId } from '@/shared/project/use-project';
import { DocumentTabs } from './document-tabs';
import { SearchDocumentsDocument, type SearchDocumentsQuery } from './documents.generated';

type Hit = SearchDocumentsQuery['documentSearch'][number];

interface Search {
  q?: string;
  document?: number;
}

const MAX_HITS = 20;

/** Words to mark in a hit. They approximate those of the service, which keeps addresses and decimal numbers whole. */
function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** Shows the passages that a search node would find, with their scores. */
export function SearchScreen() {
  const { q, document } = useSearch({ strict: false }) as Search;
  return (
    <>
      <PageHeader title="Try a search" description="Finds what workflows of this project would find." />
      <DocumentTabs />
      <SearchForm key={q} />
      {q === undefined ? (
        <EmptyState icon={IconZoomQuestion} title="Search like a workflow">
          Chunks with every word come first, then those with some of the words.
        </EmptyState>
      ) : (
        <Hits query={q} documentId={document} />
      )}
    </>
  );
}

function SearchForm() {
  const navigate = useNavigate();
  const { q = '', document } = useSearch({ strict: false }) as Search;
  const [text, setText] = useState(q);
  const documents = useDocumentChoices();
  // The route of this component is not known to the types of the router.
  const go = (search: Search) => void navigate({ to: '.', search, replace: true } as never);
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() !== '') go({ q: text.trim(), ...(document ? { document } : {}) });
      }}
    >
      <Group gap="xs" mb="lg" align="flex-end">
        <TextInput
          aria-label="Words"
          placeholder="For example: return policy"
          maxLength={2000}
          leftSection={<IconSearch size={16} />}
          style={{ flex: '1 1 16rem' }}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          autoFocus
        />
        <Select
          aria-label="Document"
          placeholder="All documents"
          clearable
          searchable
          limit={MAX_OPTIONS}
          style={{ flex: '0 1 14rem' }}
          data={documents.map(({ id, filename }) => ({ value: String(id), label: filename }))}
          value={document === undefined ? null : String(document)}
          onChange={next => go({ ...(q === '' ? {} : { q }), ...(next === null ? {} : { document: Number(next) }) })}
        />
        <Button type="submit">Search</Button>
      </Group>
    </form>
  );
}

function Hits({ query: text, documentId }: { query: string; documentId: number | undefined }) {
  const projectId = useProjectId();
  const query = useQuery(SearchDocumentsDocument, {
    variables: { projectId, query: text, limit: MAX_HITS, documentIds: documentId === undefined ? null : [documentId] },
    // A chunk may have been changed or disabled since the last search.
    fetchPolicy: 'network-only',
  });
  const words = wordsOf(text);
  return (
    <QueryView query={query} skeleton={<LinesSkeleton lines={5} />}>
      {({ documentSearch }) =>
        documentSearch.length === 0 ? (
          <EmptyState icon={IconSearch} title="Nothing was found">
            No enabled chunk contains one of the words. Read the text of the files first, or try other words.
          </EmptyState>
        ) : (
          <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Results">
            {documentSearch.map((hit, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: results have no id, and their place is their rank.
              <HitCard key={index} hit={hit} rank={index + 1} best={documentSearch[0]?.score ?? 1} words={words} />
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}

interface HitCardProps {
  hit: Hit;
  rank: number;
  best: number;
  words: string[];
}

function HitCard({ hit: { documentId, filename, page, text, score }, rank, best, words }: HitCardProps) {
  const params = { projectId: String(useProjectId()), documentId: String(documentId) };
  const present = new Set(wordsOf(text));
  const found = words.filter(word => present.has(word));
  const missing = words.filter(word => !present.has(word));
  return (
    <Paper component="li" p="md">
      <Group justify="space-between" gap="xs" mb={6}>
        <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
          <Text component="span" c="dimmed" fz="sm" className="tabular">
            {rank}
          </Text>
          <Anchor
            fw={500}
            c="inherit"
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={props => <Link {...props} to="/projects/$projectId/documents/$documentId" params={params} />}
          >
            {filename}
          </Anchor>
          {page !== null && (
            <Text component="span" c="dimmed" fz="sm" style={{ whiteSpace: 'nowrap' }}>
              page {page}
            </Text>
          )}
        </Group>
        <Group gap="xs" wrap="nowrap">
          <Progress value={(score / (best || 1)) * 100} w={72} size="sm" aria-label="Score relative to the best" />
          <Text component="span" fz="sm" className="tabular">
            {score.toFixed(3)}
          </Text>
        </Group>
      </Group>
      <Box mah={220} style={{ overflowY: 'auto' }} tabIndex={0} role="group" aria-label={`Text of result ${rank}`}>
        <Highlight
          highlight={words}
          wholeWord
          fz="sm"
          lh={1.6}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {text}
        </Highlight>
      </Box>
      <Text fz="xs" c="dimmed" mt="xs">
        {found.length === words.length
          ? 'Contains every word'
          : found.length > 0 && `Contains ${found.map(word => `“${word}”`).join(', ')}`}
        {found.length > 0 && missing.length > 0 && `, not ${missing.map(word => `“${word}”`).join(', ')}`}
      </Text>
    </Paper>
  );
}
