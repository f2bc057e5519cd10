import { useQuery } from '@apollo/client/react';
import { Button, FileButton, Group, Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { IconUpload } from '@/icons';
import { notifyProblem } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { RunFormDocumentsDocument } from './run-form.generated';
import { useUpload } from './use-upload';

export interface FileElementProps {
  label: string;
  description: string | undefined;
  required: boolean;
  error: ReactNode;
  value: string;
  onChange: (value: string) => void;
}

const DEBOUNCE_MS = 250;
const MAX_NAME = 255;

/** A document of the project, a URL, or a file that is uploaded to the documents of the project. */
export function FileElement({ value, onChange, ...common }: FileElementProps) {
  const upload = useUpload();
  const projectId = useProjectId();
  const [isBusy, setIsBusy] = useState(false);
  const [words, setWords] = useState('');
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [search] = useDebouncedValue(words.slice(0, MAX_NAME), DEBOUNCE_MS);
  const filename = search === '' || [...names.values()].includes(search) ? null : search;
  const { data, loading } = useQuery(RunFormDocumentsDocument, { variables: { projectId, filename } });
  const documents = data?.documents.items ?? [];
  const options = new Map([
    ...names,
    ...documents.map(({ id, filename: name }) => [String(id), name] as const),
    ...(isReference(words) ? [[words.trim(), words.trim()] as const] : []),
  ]);
  if (value !== '' && !options.has(value)) options.set(value, /^\d+$/.test(value) ? `Document ${value}` : value);
  const choose = (next: string | null) => {
    onChange(next ?? '');
    if (next !== null) setNames(known => new Map(known).set(next, options.get(next) ?? next));
  };
  const send = async (file: File | null) => {
    if (!file) return;
    setIsBusy(true);
    try {
      const id = String(await upload(file));
      setNames(known => new Map(known).set(id, file.name));
      onChange(id);
    } catch (error) {
      notifyProblem('Not uploaded', error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Select
        {...common}
        style={{ flex: 1 }}
        placeholder="Choose a document or paste a URL"
        value={value === '' ? null : value}
        onChange={choose}
        data={[...options].map(([id, name]) => ({ value: id, label: name }))}
        // Without a filter of the element: the service has searched already.
        filter={({ options: all }) => all}
        searchable
        onSearchChange={setWords}
        clearable={!common.required}
        clearButtonProps={{ 'aria-label': `Clear ${common.label}` }}
        nothingFoundMessage="No document has this name"
        rightSection={loading ? <Loader size={14} /> : undefined}
        maxDropdownHeight={260}
      />
      <FileButton onChange={file => void send(file)}>
        {props => (
          <Button {...props} variant="default" loading={isBusy} leftSection={<IconUpload size={16} />}>
            Upload
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

/** Whether the text is the id of a document or a URL. */
const isReference = (text: string) => /^(\d+|https?:\/\/\S+)$/.test(text.trim());
