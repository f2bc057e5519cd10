import { Button, Menu, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { IconChevronDown, IconMessage2, IconSitemap } from '@/icons';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import { chatGraph } from './chat-graph';
import { SaveChatWorkflowDocument, SavePromptDocument } from './playground.generated';
import type { ChatSettings } from './use-chat';

interface SaveProps {
  /** The model of the first column. */
  model: string;
  settings: ChatSettings;
  /** The last message. */
  text: string;
}

/** Menu that saves the tried prompt and model. */
export function SaveMenu(props: SaveProps) {
  const [isPrompt, prompt] = useDisclosure(false);
  const [isWorkflow, workflow] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            rightSection={<IconChevronDown size={15} />}
            disabled={props.text === '' && props.settings.system === ''}
          >
            Save
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconSitemap size={16} />} onClick={workflow.open}>
            As a workflow
          </Menu.Item>
          <Menu.Item leftSection={<IconMessage2 size={16} />} onClick={prompt.open}>
            As a prompt
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPrompt && <PromptDialog {...props} onClose={prompt.close} />}
      {isWorkflow && <WorkflowDialog {...props} onClose={workflow.close} />}
    </>
  );
}

const ROLES = [
  { value: 'SYSTEM', label: 'System' },
  { value: 'USER', label: 'User' },
] as const;

function PromptDialog({ settings: { system }, text, onClose }: SaveProps & { onClose: () => void }) {
  const projectId = useProjectId();
  const form = useForm({
    initialValues: { key: '', role: system === '' ? ('USER' as const) : ('SYSTEM' as const), content: system || text },
  });
  const { submit, isBusy, problem } = useFormMutation(SavePromptDocument, {
    form,
    onDone: () => {
      notifySuccess('The prompt is saved. Scenarios of this project can use it.');
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Save as a prompt"
      submitLabel="Save prompt"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values => submit({ input: { projectId, ...values } }))}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={255}
        placeholder="answer-politely"
        {...form.getInputProps('key')}
      />
      <Select label="Role" data={[...ROLES]} allowDeselect={false} {...form.getInputProps('role')} />
      <Textarea label="Text" required autosize minRows={4} maxRows={14} {...form.getInputProps('content')} />
    </FormDialog>
  );
}

function WorkflowDialog({ model, settings, text, onClose }: SaveProps & { onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { title: '' } });
  const { submit, isBusy, problem } = useFormMutation(SaveChatWorkflowDocument, {
    form,
    onDone: async ({ workflowCreate }) => {
      const id = workflowCreate?.workflow?.id;
      if (id === undefined) return;
      await navigate({
        to: '/projects/$projectId/workflows/$workflowId',
        params: { projectId: String(projectId), workflowId: String(id) },
      });
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Save as a workflow"
      submitLabel="Create workflow"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(({ title }) =>
        submit({ input: { projectId, title: title.trim(), data: chatGraph(model, settings, text) } }),
      )}
    >
      <TextInput
        label="Title"
        description={`Takes a message, asks ${model} with these parameters, and returns the answer.`}
        required
        data-autofocus
        maxLength={255}
        {...form.getInputProps('title')}
      />
    </FormDialog>
  );
}
