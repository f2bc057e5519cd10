import { Faults } from '../../../platform/errors/fields.js';
import { withDefaults } from '../trigger-settings.js';
import type { TriggerFormInput } from './form-trigger.inputs.js';
import { type TriggerForm, TriggerFormAccess } from './form-trigger.type.js';

const DEFAULTS: TriggerForm = {
  ...{ title: '', description: '', submitLabel: 'Submit', thanks: 'Thank you.', showsResult: false, waitSeconds: 30 },
  access: TriggerFormAccess.PUBLIC,
};

/** Checks the settings of a form and returns them as they are stored. Faults are added with the prefix `form.`. */
export function checkForm(input: TriggerFormInput, faults: Faults): TriggerForm {
  const settings = withDefaults<TriggerForm>(input, DEFAULTS);
  const own = new Faults();
  own.text('title', settings.title, { max: 255 });
  own.text('description', settings.description, { max: 2_000 });
  own.text('submitLabel', settings.submitLabel, { min: 1, max: 60 });
  own.text('thanks', settings.thanks, { min: 1, max: 2_000 });
  own.integer('waitSeconds', settings.waitSeconds, { min: 1, max: 60 });
  faults.addWithin('form', own);
  return settings;
}

/** The settings of a stored form. An earlier release stored no `access`. */
export function toForm(settings: unknown): TriggerForm {
  return { ...DEFAULTS, ...(settings as Partial<TriggerForm>) };
}
