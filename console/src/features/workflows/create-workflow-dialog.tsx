import { Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { parseGraph } from '@/canvas/graph';
import { focusFirstError } from '@/shared/forms/focus-first-error';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { GraphInput } from '@/shared/forms/graph-input';
import { useProjectId } from '@/shared/project/use-project';
import { TEMPLATES } from './templates';
import { CreateWorkflowDocument } from './workflows.generated';

const EMPTY_GRAPH = { nodes: [], edges: [] };
const SOURCES = [
  { value: 'blank', label: 'Blank' },
  { value: 'template', label: 'Template' },
  { value: 'import', label: 'Import' },
];
const EMPTY = { title: '', source: 'blank', template: TEMPLATES[0]?.id ?? '', text: '' };

/** Creates a workflow that is empty, from a template or from a graph as JSON. */
export function CreateWorkflowDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      text: (text, { source }) => (source === 'import' && !parseGraph(text) ? 'Paste or choose a graph.' : null),
    },
  });
  const { source, text } = form.values;
  const { submit, isBusy, problem } = useFormMutation(CreateWorkflowDocument, {
    form,
    onDone: async ({ workflowCreate }) => {
      form.reset();
      if (!workflowCreate?.workflow) return;
      await navigate({
        to: '/projects/$projectId/workflows/$workflowId',
        params: { projectId: String(projectId), workflowId: String(workflowCreate.workflow.id) },
      });
    },
  });
  /** Changes values and suggests a title, unless the user wrote one. */
  const choose = (next: Partial<typeof EMPTY>, title: string | null | undefined) =>
    form.setValues(current => ({ ...next, title: isOwnTitle(current.title ?? '') ? current.title : (title ?? '') }));
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New workflow"
      submitLabel="Create workflow"
      onSubmit={form.onSubmit(
        values => submit({ input: { projectId, title: values.title, data: graphOf(values) } }),
        focusFirstError,
      )}
      isBusy={isBusy}
      problem={problem ?? (source === 'import' && form.errors.text ? String(form.errors.text) : null)}
    >
      <TextInput label="Title" required maxLength={255} data-autofocus {...form.getInputProps('title')} />
      <SegmentedControl
        aria-label="Start from"
        data={SOURCES}
        value={source}
        onChange={next => choose({ source: next }, next === 'template' ? titleOf(form.values.template) : null)}
      />
      {source === 'template' && (
        <Radio.Group
          aria-label="Template"
          value={form.values.template}
          onChange={template => choose({ template }, titleOf(template))}
        >
          <Stack gap="xs">
            {TEMPLATES.map(({ id, title, description }) => (
              <Radio.Card key={id} value={id} p="sm" radius="md" className="console-choice">
                <Text fz="sm" fw={500}>
                  {title}
                </Text>
                <Text fz="xs" c="dimmed">
                  {description}
                </Text>
              </Radio.Card>
            ))}
          </Stack>
        </Radio.Group>
      )}
      {source === 'import' && (
        <GraphInput value={text} onChange={next => choose({ text: next }, parseGraph(next)?.title)} />
      )}
    </FormDialog>
  );
}

const titleOf = (template: string | undefined) => TEMPLATES.find(({ id }) => id === template)?.title;

/** Whether the user wrote the title. The title of a template changes with the template. */
const isOwnTitle = (title: string) => title !== '' && !TEMPLATES.some(template => template.title === title);

function graphOf({ source, template, text }: typeof EMPTY): object {
  if (source === 'template') return TEMPLATES.find(({ id }) => id === template)?.data ?? EMPTY_GRAPH;
  return (source === 'import' ? parseGraph(text)?.graph : null) ?? EMPTY_GRAPH;
}
