import { Group, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { MONOSPACE_INPUT } from '@/shared/forms/monospace-input';
import { PRESETS } from './trigger-texts';
import { browserZone, type TriggerValues } from './trigger-values';

const OVERLAPS = [
  { value: 'SKIP', label: 'Start no run' },
  { value: 'QUEUE', label: 'One run waits for its end' },
  { value: 'CANCEL_PREVIOUS', label: 'Cancel it and start the new one' },
  { value: 'ALLOW', label: 'Start the new one at once' },
];
const MISSED = [
  { value: 'ONE', label: 'Start the newest one' },
  { value: 'SKIP', label: 'Skip them' },
  { value: 'ALL', label: 'Start all, up to a limit' },
];
const ONCE = 'once';
const OTHER = 'other';
const RULE = 'rule';
const TIMES = [
  ...PRESETS,
  { value: ONCE, label: 'Once' },
  { value: OTHER, label: 'Other times' },
  { value: RULE, label: 'Recurrence rule' },
];
const zones = () => [...new Set(['UTC', browserZone(), ...Intl.supportedValuesOf('timeZone')])];

/** Fields for the times of a schedule and for the handling of missed times. */
export function ScheduleFields({ form }: { form: UseFormReturnType<TriggerValues> }) {
  const { times, cron, missed } = form.values.schedule;
  const preset = PRESETS.some(({ value }) => value === cron) ? cron : OTHER;
  const chosen = { ONCE, RULE, CRON: preset }[times];
  const choose = (value: string | null) => {
    form.setFieldValue('schedule.times', value === ONCE ? 'ONCE' : value === RULE ? 'RULE' : 'CRON');
    if (PRESETS.some(one => one.value === value)) form.setFieldValue('schedule.cron', String(value));
    if (value === OTHER) form.setFieldValue('schedule.cron', '');
  };
  return (
    <>
      <Select label="When" data={TIMES} allowDeselect={false} value={chosen} onChange={choose} />
      {times === 'ONCE' ? (
        <TextInput
          label="Time"
          description="In the time zone of your browser"
          type="datetime-local"
          required
          {...form.getInputProps('schedule.at')}
        />
      ) : (
        <>
          {times === 'RULE' ? (
            <Textarea
              label="Recurrence rule"
              description="A rule of RFC 5545. Without DTSTART it begins now"
              placeholder="FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0"
              required
              autosize
              styles={MONOSPACE_INPUT}
              {...form.getInputProps('schedule.rrule')}
            />
          ) : (
            <TextInput
              label="Cron expression"
              description="Minute, hour, day, month, weekday. With six fields: seconds first"
              placeholder="30 9 * * 1-5"
              required
              styles={MONOSPACE_INPUT}
              {...form.getInputProps('schedule.cron')}
            />
          )}
          <Select
            label="Time zone"
            searchable
            allowDeselect={false}
            limit={50}
            data={zones()}
            {...form.getInputProps('schedule.timeZone')}
          />
        </>
      )}
      <Select
        label="When the previous run has not ended"
        data={OVERLAPS}
        allowDeselect={false}
        {...form.getInputProps('schedule.overlap')}
      />
      <Select
        label="Occurrences more than a minute late"
        data={MISSED}
        allowDeselect={false}
        {...form.getInputProps('schedule.missed')}
      />
      <Group grow align="flex-end">
        {missed === 'ALL' && (
          <NumberInput label="At most" min={1} max={100} {...form.getInputProps('schedule.maxMissed')} />
        )}
        <NumberInput
          label="Start up to this late"
          suffix=" s"
          min={0}
          max={3600}
          {...form.getInputProps('schedule.jitterSeconds')}
        />
      </Group>
    </>
  );
}
