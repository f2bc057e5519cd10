import { Button, Group, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { FormProblem } from '@/shared/forms/form-problem';
import { UnsavedGuard } from '@/shared/forms/unsaved-guard';
import { Section } from '@/shared/layout/section';
import { notifySuccess } from '@/shared/notify';
import { useCategoryChoices } from '@/shared/project/use-choices';
import { type OfferWorkflowFragment, SaveOfferDocument } from './marketplace.generated';

/** The form of the listing of a workflow on the marketplace. */
export function OfferForm({ workflow }: { workflow: OfferWorkflowFragment }) {
  const categories = useCategoryChoices();
  const form = useForm({
    initialValues: {
      marketTitle: workflow.marketTitle,
      shortDescription: workflow.shortDescription,
      readmeGuide: workflow.readmeGuide,
      availableLanguages: workflow.availableLanguages,
      categoryId: workflow.categoryId === null ? '' : String(workflow.categoryId),
      runFee: String(workflow.runFee),
      freeRunsPerUser: String(workflow.freeRunsPerUser),
    },
  });
  const { submit, isBusy, problem } = useFormMutation(SaveOfferDocument, {
    form,
    onDone: (_data, _variables, markSaved) => {
      markSaved();
      notifySuccess('The offer is saved.');
    },
  });
  const toInput = ({ categoryId, runFee, freeRunsPerUser, ...values }: typeof form.values) => ({
    ...values,
    categoryId: categoryId === '' ? null : Number(categoryId),
    runFee: Number(runFee),
    freeRunsPerUser: Number(freeRunsPerUser),
  });
  return (
    <Section title="Offer" description="What people see on the marketplace, and what the author earns.">
      <form onSubmit={form.onSubmit(values => submit({ id: workflow.id, input: toInput(values) }))}>
        <UnsavedGuard isDirty={() => form.isDirty()} subject="the offer" />
        <Stack gap="sm">
          <TextInput label="Marketplace title" maxLength={255} {...form.getInputProps('marketTitle')} />
          <Textarea label="Short description" autosize minRows={2} {...form.getInputProps('shortDescription')} />
          <Textarea
            label="Read-me"
            description="Markdown: what it does, what it needs, what it returns"
            autosize
            minRows={5}
            maxRows={20}
            {...form.getInputProps('readmeGuide')}
          />
          <Group grow align="flex-start">
            <TagsInput
              label="Languages"
              description="Codes such as en, Enter after each"
              {...form.getInputProps('availableLanguages')}
            />
            <Select
              label="Category"
              description="Where it is found"
              searchable
              clearable
              clearButtonProps={{ 'aria-label': 'No category' }}
              data={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={form.values.categoryId || null}
              onChange={value => form.setFieldValue('categoryId', value ?? '')}
            />
          </Group>
          <Group grow align="flex-start">
            <TextInput
              label="Fee in percent"
              description="Of the costs of models"
              inputMode="numeric"
              pattern="[0-9]*"
              {...form.getInputProps('runFee')}
            />
            <TextInput
              label="Free runs"
              description="For each user before the fee"
              inputMode="numeric"
              pattern="[0-9]*"
              {...form.getInputProps('freeRunsPerUser')}
            />
          </Group>
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isBusy} disabled={!form.isDirty()}>
              Save offer
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
