import { Button, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useAction } from '@/shared/forms/use-action';
import { JsonView } from '@/shared/json/json-view';
import { useWholeList } from '@/shared/lists/whole-list';
import { notifySuccess } from '@/shared/notify';
import { useProjectId } from '@/shared/project/use-project';
import {
  DeleteMcpToolDocument,
  type McpToolFragment,
  McpToolsDocument,
  SaveMcpToolDocument,
} from './mcp-tool.generated';

interface McpToolProps {
  workflow: { id: number; title: string };
  onClose: () => void;
}

/** Makes a workflow a tool for MCP clients, or changes its tool. */
export function McpToolDialog(props: McpToolProps) {
  const variables = { projectId: useProjectId() };
  const { items: tools, isWhole } = useWholeList(McpToolsDocument, 'mcpServerTools', {
    variables,
    fetchPolicy: 'network-only',
  });
  if (!isWhole) return null;
  return <ToolForm {...props} tool={tools.find(({ workflowId }) => workflowId === props.workflow.id)} />;
}

function ToolForm({ workflow, onClose, tool }: McpToolProps & { tool: McpToolFragment | undefined }) {
  const projectId = useProjectId();
  const form = useForm({
    initialValues: {
      name: tool?.name ?? toToolName(workflow.title),
      description: tool?.description ?? '',
      isEnabled: tool?.isEnabled ?? true,
    },
  });
  const { submit, isBusy, problem } = useFormMutation(SaveMcpToolDocument, {
    form,
    onDone: () => {
      notifySuccess(`“${workflow.title}” is the tool ${form.values.name}.`);
      onClose();
    },
  });
  const remove = useAction(DeleteMcpToolDocument, {
    failure: 'Not removed',
    success: `“${workflow.title}” is no longer a tool.`,
  });
  const withdraw = async () => {
    if (await remove.run({ workflowId: workflow.id })) onClose();
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Tool for MCP clients"
      submitLabel="Save"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(input => submit({ workflowId: workflow.id, input }))}
      extra={
        tool && (
          <Button variant="subtle" color="red" loading={remove.isBusy} onClick={() => void withdraw()}>
            Remove
          </Button>
        )
      }
    >
      <Text size="sm">Assistants and agents of members can call the workflow. A call is a run.</Text>
      <TextInput
        label="Name"
        description="1-64 letters, digits, _ and -"
        required
        data-autofocus
        maxLength={64}
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        description="What the tool does, for the model that selects it"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        {...form.getInputProps('description')}
      />
      <Switch label="Clients can call it" {...form.getInputProps('isEnabled', { type: 'checkbox' })} />
      <Stack gap={4}>
        <Text size="sm">Address of the project, with an API key as bearer token</Text>
        <JsonView value={`${window.location.origin}/mcp/${projectId}`} label="address" />
      </Stack>
    </FormDialog>
  );
}

/** The name of a tool for the title of a workflow: at most 64 characters of a-z, 0-9 and _. */
function toToolName(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 64);
}
