import { Stack, Text } from '@mantine/core';
import { type Arguments, changesOf } from './arguments';
import './approval.css';

export interface ArgumentsChangesProps {
  before: Arguments;
  after: Arguments;
}

/** The changes of the arguments by the person who decided, member by member. */
export function ArgumentsChanges({ before, after }: ArgumentsChangesProps) {
  const changes = changesOf(before, after);
  if (changes.length === 0) return null;
  return (
    <section aria-label="Changes">
      <Text fz="sm" fw={550} mb={4}>
        Changes
      </Text>
      <Stack gap={6}>
        {changes.map(({ name, before: was, after: is }) => (
          <div key={name}>
            <Text fz="xs" c="dimmed" ff="monospace">
              {name}
            </Text>
            <div className="approval-change">
              {was !== null && <del>{was === '' ? '(empty)' : was}</del>}
              {is !== null && <ins>{is === '' ? '(empty)' : is}</ins>}
            </div>
          </div>
        ))}
      </Stack>
    </section>
  );
}
