import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One number of a dashboard. `note` compares or explains it in a few words. */
export function StatCard({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <Paper p="md">
      <Text fz="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={{ base: 21, sm: 26 }} fw={600} lh={1.35} className="tabular" style={{ letterSpacing: '-0.02em' }}>
        {children}
      </Text>
      {note && (
        <Text fz="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
