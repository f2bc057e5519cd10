import { Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { useHttpConnections } from '@/shared/project/use-http-connections';
import { useProjectId } from '@/shared/project/use-project';
import { type ApiDetailFragment, ImportApiDocument, UpdateApiDocument } from './apis.generated';

/** Imports an OpenAPI document (`api` null), or changes the address and connection of one. */
export function ApiDialog({ api, onClose }: { api: ApiDetailFragment | null; onClose: () => void }) {
  const projectId = useProjectId();
  const connections = useHttpConnections();
  const form = useForm({
    initialValues: {
      name: api?.name ?? '',
      url: '',
      document: '',
      baseUrl: api?.baseUrl ?? '',
      connectionId: api?.connectionId == null ? null : String(api.connectionId),
    },
  });
  const options = {
    form,
    refetchQueries: ['ProjectApis'],
    onDone: () => {
      notifySuccess(`“${form.values.name.trim()}” is saved.`);
      onClose();
    },
  };
  const creation = useFormMutation(ImportApiDocument, options);
  const change = useFormMutation(UpdateApiDocument, options);
  const submit = ({ name, url, document, baseUrl, connectionId }: typeof form.values) => {
    const input = {
      name: name.trim(),
      baseUrl: baseUrl.trim(),
      connectionId: connectionId === null ? null : Number(connectionId),
    };
    if (api) return change.submit({ id: api.id, input });
    const source = url.trim() === '' ? { document } : { url: url.trim() };
    return creation.submit({ input: { ...input, ...source, projectId } });
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={api ? 'Edit API' : 'Import OpenAPI document'}
      submitLabel={api ? 'Save' : 'Import'}
      isBusy={creation.isBusy || change.isBusy}
      problem={creation.problem ?? change.problem}
      onSubmit={form.onSubmit(values => void submit(values))}
    >
      <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
      {!api && (
        <>
          <TextInput
            label="Address of the document"
            placeholder="https://api.example.com/openapi.json"
            inputMode="url"
            maxLength={2048}
            {...form.getInputProps('url')}
          />
          <Textarea
            label="Or its text"
            description="OpenAPI 3.0 or 3.1, as JSON or YAML"
            autosize
            minRows={3}
            maxRows={10}
            disabled={form.values.url.trim() !== ''}
            {...form.getInputProps('document')}
          />
        </>
      )}
      <TextInput
        label="Address of the API"
        description={api ? 'Empty: the base URL of the connection' : 'Empty: the first server of the document'}
        placeholder="https://api.example.com/v1"
        inputMode="url"
        maxLength={2048}
        {...form.getInputProps('baseUrl')}
      />
      <Select
        label="Connection"
        description="Its credentials are sent with every request, to its allowed hosts only"
        placeholder="None"
        clearable
        data={connections}
        {...form.getInputProps('connectionId')}
      />
    </FormDialog>
  );
}
