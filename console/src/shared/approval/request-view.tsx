import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { JsonTree } from '@/shared/json/json-tree';
import { useProjectId } from '@/shared/project/use-project';
import type { ApprovalDetailsFragment } from './approval.generated';
import { toArguments } from './arguments';
import { ArgumentsChanges } from './arguments-changes';

/** The requested action: the call with its arguments, or the start with its model, messages and tools. */
export function RequestView({ approval }: { approval: ApprovalDetailsFragment }) {
  const { description, question, workflow, start, editedArguments } = approval;
  const projectId = String(useProjectId());
  return (
    <>
      {description !== null && description !== '' && (
        <Text fz="sm" c="dimmed" lineClamp={3}>
          {description}
        </Text>
      )}
      {question !== null && question.message !== '' && (
        <Text fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {question.message}
        </Text>
      )}
      {workflow && (
        <Text fz="sm">
          Starts the workflow{' '}
          <Anchor
            renderRoot={link => (
              <Link
                {...link}
                to="/projects/$projectId/workflows/$workflowId"
                params={{ projectId, workflowId: String(workflow.id) }}
              />
            )}
          >
            {workflow.title}
          </Anchor>
        </Text>
      )}
      {start && <StartView start={start} />}
      <GivenArguments approval={approval} />
      {editedArguments !== null && editedArguments !== undefined && (
        <ArgumentsChanges before={toArguments(approval.arguments)} after={toArguments(editedArguments)} />
      )}
    </>
  );
}

function StartView({ start: { model, messages, tools } }: { start: NonNullable<ApprovalDetailsFragment['start']> }) {
  return (
    <Stack gap={6}>
      <Group gap={6}>
        <Text fz="sm">Model</Text>
        <Code>{model}</Code>
      </Group>
      {tools.length > 0 && (
        <Group gap={6}>
          <Text fz="sm">Tools</Text>
          {tools.map(({ name, description }) => (
            <Code key={name} title={description}>
              {name}
            </Code>
          ))}
        </Group>
      )}
      {messages.map(({ role, content }) => (
        <div
          key={`${role} ${content}`}
          className="console-json"
          style={{ padding: '0.5rem 0.6rem', maxHeight: 220, overflow: 'auto' }}
        >
          <Text fz="xs" c="dimmed">
            {role}
          </Text>
          <Text fz="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {content}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

function GivenArguments({ approval: { kind, tool, arguments: given } }: { approval: ApprovalDetailsFragment }) {
  if (kind === 'DECISION' && Object.keys(toArguments(given)).length === 0) return null;
  if (given === null || given === undefined) {
    if (kind === 'START') return null;
    return (
      <Text fz="sm" c="dimmed">
        The call has no arguments.
      </Text>
    );
  }
  return (
    <div className="console-json" style={{ padding: '0.5rem 0.6rem', maxHeight: 320, overflow: 'auto' }}>
      <JsonTree value={given} label={kind === 'DECISION' ? 'Form' : `Arguments of ${tool ?? 'the agent'}`} />
    </div>
  );
}
