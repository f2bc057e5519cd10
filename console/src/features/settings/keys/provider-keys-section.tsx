import { useQuery } from '@apollo/client/react';
import { Badge, Button, Code, Group, PasswordInput, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconPlugConnected, IconPlus } from '@/icons';
import { ConfirmDialog } from '@/shared/forms/confirm-dialog';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useAction } from '@/shared/forms/use-action';
import { EmptyState } from '@/shared/layout/empty-state';
import { ProblemPanel } from '@/shared/layout/problem-panel';
import { Section } from '@/shared/layout/section';
import { countOf } from '@/shared/lists/count';
import { type Column, DataTable } from '@/shared/lists/data-table';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { RelativeTime } from '@/shared/time';
import {
  AttachProviderKeyDocument,
  DetachProviderKeyDocument,
  ProviderKeysDocument,
  type ProviderKeysQuery,
  TestProviderKeyDocument,
} from './keys.generated';

type ProviderKey = NonNullable<ProviderKeysQuery['project']>['attachedProviderKeys'][number];

const PROVIDERS = [
  { value: 'OPENAI', label: 'OpenAI or compatible' },
  { value: 'ANTHROPIC', label: 'Anthropic' },
  { value: 'GEMINI', label: 'Google Gemini' },
];
const labelOf = (provider: string) =>
  PROVIDERS.find(({ value }) => value === provider.toUpperCase())?.label ?? provider;

const columns: Column<ProviderKey>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, provider, baseUrl }) => (
      <>
        <Text fz="sm" fw={500}>
          {name}
        </Text>
        <Text fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {labelOf(provider)}
          {baseUrl && ` · ${baseUrl}`}
        </Text>
      </>
    ),
  },
  { id: 'key', header: 'Key', isWide: true, cell: ({ last4 }) => <Code>…{last4}</Code> },
  { id: 'added', header: 'Added', isWide: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { id: 'actions', header: '', align: 'end', cell: row => <ProviderKeyActions row={row} /> },
];

/** Keys of model providers that the project's calls use instead of those of the service. */
export function ProviderKeysSection() {
  const projectId = useProjectId();
  const [isOpen, dialog] = useDisclosure(false);
  const { data, error, refetch } = useQuery(ProviderKeysDocument, { variables: { projectId } });
  if (error && !data) return <ProblemPanel error={error} onRetry={() => void refetch()} />;
  const rows = data?.project?.attachedProviderKeys;
  const attach = (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Attach key
    </Button>
  );
  return (
    <Section
      isPlain
      title="Provider keys"
      description="Calls of this project use its own keys before those of the service. Of several keys for one provider the newest is used."
      actions={rows && rows.length > 0 ? attach : undefined}
    >
      <DataTable
        label="Provider keys"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={IconPlugConnected} title="No keys of the project" action={attach}>
            The models of the service are used. Attach a key to pay a provider yourself, or to use other models.
          </EmptyState>
        }
      />
      <AttachDialog isOpen={isOpen} onClose={dialog.close} />
    </Section>
  );
}

function ProviderKeyActions({ row: { id, name } }: { row: ProviderKey }) {
  const [result, setResult] = useState<{ isAccepted: boolean; modelsCount: number; error: string | null } | null>(null);
  const [isDetaching, dialog] = useDisclosure(false);
  const test = useAction(TestProviderKeyDocument, { failure: 'Not tested' });
  const detach = useAction(DetachProviderKeyDocument, { failure: 'Not detached', refetchQueries: ['ProviderKeys'] });
  const check = async () => {
    const data = await test.run({ id });
    setResult(data?.providerKeyTest?.providerKeyTest ?? null);
  };
  return (
    <Group gap="xs" justify="flex-end" wrap="wrap">
      {result && (
        <Badge
          variant="light"
          color={result.isAccepted ? 'green' : 'red'}
          tt="none"
          role="status"
          title={result.error ?? ''}
        >
          {result.isAccepted
            ? `Accepted, ${countOf(result.modelsCount, 'model')}`
            : `Refused: ${result.error ?? 'unknown reason'}`}
        </Badge>
      )}
      <Button
        size="compact-sm"
        variant="default"
        loading={test.isBusy}
        aria-label={`Test ${name}`}
        onClick={() => void check()}
      >
        Test
      </Button>
      <Button size="compact-sm" variant="default" aria-label={`Detach ${name}`} onClick={dialog.open}>
        Detach
      </Button>
      <ConfirmDialog
        isOpen={isDetaching}
        onClose={dialog.close}
        title={`Detach “${name}”?`}
        confirmLabel="Detach key"
        onConfirm={() => detach.runOrThrow({ id })}
      >
        The next calls use another key of the provider, if there is one. The stored key is deleted.
      </ConfirmDialog>
    </Group>
  );
}

function AttachDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const projectId = useProjectId();
  const form = useForm({ initialValues: { name: '', provider: 'OPENAI', key: '', baseUrl: '' } });
  const { submit, isBusy, problem } = useFormMutation(AttachProviderKeyDocument, {
    form,
    refetchQueries: ['ProviderKeys'],
    onDone: (_, { input }) => {
      notifySuccess(`“${input.name}” is attached.`);
      form.reset();
      onClose();
    },
  });
  const toInput = ({ name, provider, key, baseUrl }: typeof form.values) => ({
    name: name.trim(),
    provider: provider as 'OPENAI' | 'ANTHROPIC' | 'GEMINI',
    key: key.trim(),
    ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Attach a provider key"
      submitLabel="Attach key"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values => submit({ projectId, input: toInput(values) }))}
    >
      <Select label="Provider" data={PROVIDERS} allowDeselect={false} {...form.getInputProps('provider')} />
      <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
      <PasswordInput
        label="Key"
        description="Stored encrypted. Only its last four characters are shown."
        required
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
        {...form.getInputProps('key')}
      />
      <TextInput
        label="Base URL"
        description="Only for another address than that of the provider"
        type="url"
        placeholder="https://models.example.com/v1"
        {...form.getInputProps('baseUrl')}
      />
    </FormDialog>
  );
}
