import { Anchor, CloseButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { countOf } from '@/shared/lists/count';
import { Money } from '@/shared/money';
import { useProjectId } from '@/shared/project/use-project';
import { TextDiff, textOf } from '@/shared/text-diff/text-diff';
import { Duration } from '@/shared/time';
import type { RehearsedRunFragment } from './rehearsals.generated';

const OUTCOMES = {
  UNCHANGED: 'Unchanged',
  CHANGED: 'Changed',
  FIXED: 'Fixed',
  FAILED: 'Fails',
  INCOMPLETE: 'Incomplete',
};

interface RehearsedRunLinkProps {
  run: RehearsedRunFragment;
  /** Instead of the outcome. */
  label: string | undefined;
  isOpen: boolean;
  onOpen: () => void;
}

/** The outcome of a run. It opens the comparison with the record. */
export function RehearsedRunLink({
  run,
  label = OUTCOMES[run.outcome ?? 'INCOMPLETE'],
  isOpen,
  onOpen,
}: RehearsedRunLinkProps) {
  return (
    <Anchor
      component="button"
      type="button"
      fz="sm"
      onClick={onOpen}
      aria-expanded={isOpen}
      aria-label={`Compare: ${label}`}
    >
      {label}
    </Anchor>
  );
}

/** The rehearsal of one run: the recorded values on the left, those of the rehearsal on the right. */
export function RehearsedRunPanel({ run, onClose }: { run: RehearsedRunFragment; onClose: () => void }) {
  return (
    <Paper component="section" p="sm" aria-label="Rehearsed run">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="sm">
            <Text fw={550}>{OUTCOMES[run.outcome ?? 'INCOMPLETE']}</Text>
            <RecordedRun id={run.runId} />
          </Group>
          <CloseButton aria-label="Close the comparison" onClick={onClose} />
        </Group>
        <Comparison run={run} />
      </Stack>
    </Paper>
  );
}

function RecordedRun({ id }: { id: string }) {
  const params = { projectId: String(useProjectId()), runId: id };
  return (
    <Anchor fz="sm" renderRoot={link => <Link {...link} to="/projects/$projectId/runs/$runId" params={params} />}>
      Recorded run
    </Anchor>
  );
}

function Comparison({ run }: { run: RehearsedRunFragment }) {
  const { errorBefore, errorAfter, outputBefore, outputAfter, changes } = run;
  return (
    <>
      <Text fz="sm">
        {`${countOf(run.executedCount, 'call')} made, ${countOf(run.reusedCount, 'recorded answer')} taken. Cost `}
        <Money usd={run.costBefore?.usd} /> → <Money usd={run.costAfter?.usd} />
        {', '}
        <Milliseconds value={run.durationBeforeMs} /> → <Milliseconds value={run.durationAfterMs} />.
      </Text>
      <Difference title="Result of the run" before={textOf(outputBefore)} after={textOf(outputAfter)} />
      {(errorBefore ?? errorAfter) !== null && (
        <Difference title="Error" before={errorBefore ?? 'None'} after={errorAfter ?? 'None'} />
      )}
      {changes.map(({ nodeId, label, before, after }) => (
        <Difference
          key={nodeId}
          title={label === '' ? nodeId : label}
          before={before ?? 'Not executed'}
          after={after ?? 'Not executed'}
        />
      ))}
    </>
  );
}

function Difference({ title, before, after }: { title: string; before: string; after: string }) {
  return (
    <section aria-label={title}>
      <Title order={3} fz="sm" mb={4}>
        {title}
      </Title>
      <TextDiff left={before} right={after} />
    </section>
  );
}

/** Shows a duration that the API gives in milliseconds. */
export function Milliseconds({ value }: { value: number | null }) {
  return <Duration seconds={value === null ? null : value / 1_000} />;
}
