import { Switch } from '@mantine/core';
import { useAction } from '@/shared/forms/use-action';
import { type TriggerDetailFragment, UpdateTriggerDocument } from './triggers.generated';

interface TriggerSwitchProps {
  trigger: TriggerDetailFragment;
  canEdit: boolean;
  /** The visible text. Absent: only screen readers get one. */
  label?: string;
}

/** Enables or disables a trigger. A disabled one starts no runs. */
export function TriggerSwitch({ trigger, canEdit, label }: TriggerSwitchProps) {
  const { id, name, isEnabled } = trigger;
  const update = useAction(UpdateTriggerDocument, { failure: isEnabled ? 'Not switched off' : 'Not switched on' });
  return (
    <Switch
      label={label}
      aria-label={label === undefined ? `${name} is enabled` : undefined}
      checked={isEnabled}
      disabled={!canEdit || update.isBusy}
      onChange={event => void update.run({ id, input: { isEnabled: event.currentTarget.checked } })}
    />
  );
}
