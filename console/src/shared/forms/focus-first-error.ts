import type { FormEvent } from 'react';

/** The second argument of `form.onSubmit`: focuses the first invalid field, which scrolls it into view. */
export function focusFirstError(_errors: unknown, _values: unknown, event?: FormEvent<HTMLFormElement>): void {
  const form = event?.target;
  // The errors are marked with the next rendering.
  requestAnimationFrame(() => {
    if (!(form instanceof HTMLElement)) return;
    const field = form.querySelector<HTMLElement>('[aria-invalid=true]');
    // An element with several values has its input inside.
    (field?.querySelector('input') ?? field)?.focus();
  });
}
