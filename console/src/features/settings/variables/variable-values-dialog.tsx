import { useQuery } from '@apollo/client/react';
import { Button, Group, Modal, PasswordInput, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '@/shared/forms/use-action';
import { ProjectEnvironmentsDocument } from '@/shared/project/environments.generated';
import { useProjectId } from '@/shared/project/use-project';
import { SetProjectVariableValueDocument } from './variables.generated';
import type { VariableRow } from './variables-section';

/** The values of a variable in the environments of the project. */
export function VariableValuesDialog({ variable, onClose }: { variable: VariableRow; onClose: () => void }) {
  const { data } = useQuery(ProjectEnvironmentsDocument, { variables: { projectId: useProjectId() } });
  return (
    <Modal opened onClose={onClose} title={`Values of ${variable.name}`}>
      <Stack>
        {data?.projectEnvironments.map(({ id, name }) => (
          <EnvironmentValue key={id} variable={variable} environmentId={id} name={name} />
        ))}
      </Stack>
    </Modal>
  );
}

interface EnvironmentValueProps {
  variable: VariableRow;
  environmentId: number;
  name: string;
}

function EnvironmentValue({ variable, environmentId, name }: EnvironmentValueProps) {
  const { id, isSecret, values } = variable;
  const stored = values.find(each => each.environmentId === environmentId);
  const [value, setValue] = useState(isSecret ? '' : (stored?.value ?? ''));
  const { run, isBusy } = useAction(SetProjectVariableValueDocument, {
    failure: 'Not saved',
    success: ({ value: sent }) => (sent == null ? `${name} uses the value of production.` : `${name} is saved.`),
    refetchQueries: ['ProjectVariables'],
  });
  const description = stored ? 'Has a value of its own' : 'Uses the value of production';
  const field = { label: name, description, value };
  const remove = async () => {
    if (await run({ id, environmentId, value: null })) setValue('');
  };
  return (
    <Stack gap={6}>
      {isSecret ? (
        <PasswordInput
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': `Show the value in ${name}` }}
          {...field}
          onChange={event => setValue(event.currentTarget.value)}
        />
      ) : (
        <Textarea autosize minRows={1} maxRows={8} {...field} onChange={event => setValue(event.currentTarget.value)} />
      )}
      <Group gap="xs" justify="flex-end">
        {stored && (
          <Button variant="subtle" size="compact-sm" disabled={isBusy} onClick={() => void remove()}>
            Use the value of production
          </Button>
        )}
        <Button size="compact-sm" loading={isBusy} onClick={() => void run({ id, environmentId, value })}>
          Save {name}
        </Button>
      </Group>
    </Stack>
  );
}
