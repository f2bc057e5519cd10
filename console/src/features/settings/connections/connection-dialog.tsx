import { useQuery } from '@apollo/client/react';
import { PasswordInput, Select, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { KINDS } from '@/shared/project/connection-kinds';
import { useProjectId } from '@/shared/project/use-project';
import {
  type ConnectionKind,
  choicesOf,
  REDIRECT_PATH,
  SETTING_LABELS,
  SETTINGS_OF_KIND,
  toSettings,
  toTexts,
} from './connection-settings';
import {
  type ConnectionDetailFragment,
  ConnectionPresetsDocument,
  CreateConnectionDocument,
  UpdateConnectionDocument,
} from './connections.generated';
import { useAuthorization } from './use-authorization';

interface ConnectionDialogProps {
  /** Null: a new connection. */
  connection: ConnectionDetailFragment | null;
  onClose: () => void;
}

/** Creates or changes a connection. The stored secret is kept while its field is empty. */
export function ConnectionDialog({ connection, onClose }: ConnectionDialogProps) {
  const projectId = useProjectId();
  const { data } = useQuery(ConnectionPresetsDocument, { skip: connection !== null });
  const presets = data?.connectionPresets ?? [];
  const form = useForm({
    initialValues: {
      name: connection?.name ?? '',
      kind: connection?.kind ?? ('BEARER' as ConnectionKind),
      secret: '',
      preset: connection?.preset ?? null,
      settings: toTexts(connection?.settings),
      allowedHosts: connection?.allowedHosts ?? [],
    },
  });
  const options = {
    form,
    refetchQueries: ['ProjectConnections'],
    onDone: () => {
      notifySuccess(`“${form.values.name.trim()}” is saved.`);
      onClose();
    },
  };
  const authorize = useAuthorization();
  const creation = useFormMutation(CreateConnectionDocument, {
    ...options,
    onDone: async ({ connectionCreate }) => {
      options.onDone();
      const created = connectionCreate?.connection;
      // Its URL is all that the service needs. The clients of other kinds must be registered first.
      if (created?.kind === 'MCP_OAUTH') await authorize(created.id);
    },
  });
  const change = useFormMutation(UpdateConnectionDocument, options);
  const { kind } = form.values;
  /** Whether the credentials are sent with HTTP requests, which may go to several hosts. */
  const hasHosts = kind !== 'SMTP' && kind !== 'POSTGRESQL';
  const help = presets.find(({ name }) => name === form.values.preset)?.help;
  const choosePreset = (name: string | null) => {
    const preset = presets.find(each => each.name === name);
    form.setFieldValue('preset', name);
    if (!preset) return;
    form.setFieldValue('kind', preset.kind);
    form.setFieldValue('settings', toTexts(preset.settings));
    if (form.values.name === '') form.setFieldValue('name', preset.title);
  };
  const submit = ({ name, secret, preset, settings, allowedHosts }: typeof form.values) => {
    const input = { name, settings: toSettings(kind, settings), ...(secret === '' ? {} : { secret }) };
    if (connection)
      return change.submit({ id: connection.id, input: { ...input, ...(hasHosts ? { allowedHosts } : {}) } });
    return creation.submit({ input: { ...input, projectId, kind, preset, ...(hasHosts ? { allowedHosts } : {}) } });
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={connection ? 'Edit connection' : 'New connection'}
      submitLabel={connection ? 'Save' : kind === 'MCP_OAUTH' ? 'Connect' : 'Create connection'}
      isBusy={creation.isBusy || change.isBusy}
      problem={creation.problem ?? change.problem}
      onSubmit={form.onSubmit(submit)}
    >
      {connection === null && (
        <>
          <Select
            label="Service"
            description={help ?? 'Fills in the settings of a well-known service'}
            placeholder="Another service"
            searchable
            clearable
            data={presets.map(({ name, title }) => ({ value: name, label: title }))}
            value={form.values.preset}
            onChange={choosePreset}
          />
          <Select
            label="Kind"
            allowDeselect={false}
            disabled={form.values.preset !== null}
            data={KINDS}
            {...form.getInputProps('kind')}
          />
        </>
      )}
      <TextInput label="Name" required maxLength={255} data-autofocus {...form.getInputProps('name')} />
      {SETTINGS_OF_KIND[kind].map(setting => {
        const choices = choicesOf(kind, setting);
        const props = form.getInputProps(`settings.${setting}`);
        return choices ? (
          <Select
            key={setting}
            label={SETTING_LABELS[setting]}
            placeholder="Default"
            clearable
            data={choices}
            {...props}
          />
        ) : (
          <TextInput key={setting} label={SETTING_LABELS[setting]} {...props} />
        );
      })}
      <PasswordInput
        label={kind.includes('OAUTH') ? 'Client secret' : 'Secret'}
        description={
          connection?.hasSecret ? 'Empty: the stored secret is kept' : 'Stored encrypted and never shown again'
        }
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
        {...form.getInputProps('secret')}
      />
      {hasHosts && (
        <TagsInput
          label="Allowed hosts"
          description="The credentials are sent only to these hosts. Empty: the host of the base URL"
          placeholder="api.example.com"
          {...form.getInputProps('allowedHosts')}
        />
      )}
      {kind === 'MCP_OAUTH' && (
        <Text fz="sm" c="dimmed">
          Only the name and the base URL, that of the MCP server, are required. A client id is needed if the
          authorization server of the MCP server registers no clients.
        </Text>
      )}
      {kind === 'OAUTH2_CODE' && (
        <Text fz="sm" c="dimmed">
          Register {`${location.origin}${REDIRECT_PATH}`} as redirect URL at the service, and authorize the connection
          after it is saved.
        </Text>
      )}
    </FormDialog>
  );
}
