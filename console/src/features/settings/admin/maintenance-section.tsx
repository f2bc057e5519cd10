import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTool } from '@/icons';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { QueryView } from '@/shared/layout/query-view';
import { Section } from '@/shared/layout/section';
import { RelativeTime } from '@/shared/time';
import { MaintenanceDocument, type MaintenanceQuery, SetMaintenanceDocument } from './admin.generated';

/** Starts and ends the maintenance mode of the service. */
export function MaintenanceSection() {
  const query = useQuery(MaintenanceDocument);
  return (
    <QueryView query={query}>
      {({ maintenance }) => <MaintenanceForm key={String(maintenance.isOn)} {...maintenance} />}
    </QueryView>
  );
}

function MaintenanceForm({ isOn, message, since }: NonNullable<MaintenanceQuery['maintenance']>) {
  const form = useForm({ initialValues: { message } });
  const { submit, isBusy, problem } = useFormMutation(SetMaintenanceDocument, {
    form,
    refetchQueries: ['Maintenance'],
  });
  return (
    <Stack maw={720}>
      <Section
        title="Maintenance mode"
        description="New runs, uploads and changes are refused with the message. Reading stays possible."
      >
        <form onSubmit={form.onSubmit(values => submit({ isOn: !isOn, message: values.message }))}>
          <Stack gap="sm">
            {isOn && (
              <Alert color="orange" icon={<IconTool size={18} />} p="sm">
                On since <RelativeTime at={since} />.
              </Alert>
            )}
            <TextInput
              label="Message"
              placeholder="We are back at 18:00 UTC."
              readOnly={isOn}
              {...form.getInputProps('message')}
            />
            <FormProblem problem={problem} />
            <Group justify="flex-end">
              <Button type="submit" color={isOn ? undefined : 'orange'} loading={isBusy}>
                {isOn ? 'End maintenance' : 'Start maintenance'}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
    </Stack>
  );
}
