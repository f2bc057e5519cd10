/** The `styles` of a field for code: only the typed text is monospace, not the label, the description and the error. */
export const MONOSPACE_INPUT = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
