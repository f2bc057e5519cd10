import { SegmentedControl, Select, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '@/shared/forms/form-dialog';
import { useFormMutation } from '@/shared/forms/form-mutation';
import { useIdempotencyKey } from '@/shared/forms/use-idempotency-key';
import { useHttpConnections } from '@/shared/project/use-http-connections';
import { useProjectId } from '@/shared/project/use-project';
import { CreateKeywordRunDocument } from './keywords.generated';

const EMPTY = { url: '', connectionId: null as string | null, topic: '', preset: '2', doClusterize: true };
/** The presets of the API with the number of keywords that each of them finds. */
const PRESETS = [
  { value: '1', label: '10' },
  { value: '2', label: '25' },
  { value: '3', label: '50' },
  { value: '4', label: '100' },
];

/** Starts a keyword run: the search for keywords of a page, of a topic or of both. */
export function CreateKeywordRunDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const idempotencyKeyOf = useIdempotencyKey();
  const form = useForm({ initialValues: EMPTY });
  const connections = useHttpConnections({ skip: !isOpen });
  const { submit, isBusy, problem } = useFormMutation(CreateKeywordRunDocument, {
    form,
    onDone: async ({ keywordRunCreate }) => {
      form.reset();
      const keywordRunId = String(keywordRunCreate?.keywordRun?.id);
      await navigate({
        to: '/projects/$projectId/keywords/$keywordRunId',
        params: { projectId: String(projectId), keywordRunId },
      });
    },
  });
  const send = ({ url, connectionId, topic, preset, doClusterize }: typeof EMPTY) => {
    const page = { url: url.trim(), connectionId: connectionId === null ? null : Number(connectionId) };
    const input = { projectId, ...page, topic: topic.trim(), preset: Number(preset), doClusterize };
    return submit({ input, idempotencyKey: idempotencyKeyOf(input) });
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Find keywords"
      submitLabel="Start"
      isBusy={isBusy}
      problem={problem}
      onSubmit={form.onSubmit(values => void send(values))}
    >
      <TextInput
        label="Web page"
        description="HTML, plain text or PDF. Finding costs nothing."
        placeholder="https://example.com/article"
        inputMode="url"
        maxLength={2048}
        data-autofocus
        {...form.getInputProps('url')}
      />
      {connections.length > 0 && (
        <Select
          label="Connection"
          description="Its credentials are sent with the request for the page. It completes an address that is a path."
          placeholder="None"
          clearable
          data={connections}
          {...form.getInputProps('connectionId')}
        />
      )}
      <TextInput
        label="Topic"
        description="With a page: keywords that share a word with it come first. Without a page: a model or your documents propose keywords."
        maxLength={500}
        {...form.getInputProps('topic')}
      />
      <div>
        <Text id="keyword-limit" fz="sm" fw={600} mb={4}>
          At most
        </Text>
        <SegmentedControl aria-labelledby="keyword-limit" data={PRESETS} {...form.getInputProps('preset')} />
      </div>
      <Switch label="Group similar keywords" {...form.getInputProps('doClusterize', { type: 'checkbox' })} />
    </FormDialog>
  );
}
