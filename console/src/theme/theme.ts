import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const brand: MantineColorsTuple = [
  '#f1f0fe',
  '#e1dffb',
  '#c1bcf4',
  '#9e96ee',
  '#8077e8',
  '#6a5fe4',
  '#5a4fd8',
  '#4d43bd',
  '#433aa5',
  '#362f8a',
];

/** Greys with a little blue, lighter and calmer than the defaults. */
const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  '#e6e9ee',
  '#d8dde4',
  '#c3cad4',
  '#a3acb9',
  '#7b8696',
  '#566070',
  '#363e4b',
  '#1e242e',
];

const dark: MantineColorsTuple = [
  '#d5d9e0',
  '#a9b1bd',
  '#8a93a1',
  '#5c6573',
  '#3a424f',
  '#2b323d',
  '#20262f',
  '#181c23',
  '#12161c',
  '#0d1015',
];

/** Keeps a field that receives the focus, and its label, out from under the sticky title of a dialog. */
const DIALOG_CONTENT = { scrollPaddingTop: '7rem', scrollPaddingBottom: '1rem' };

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 6 },
  colors: { brand, gray, dark },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, "JetBrains Mono", Menlo, Consolas, monospace',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Anchor: { defaultProps: { inherit: true } },
    Button: { defaultProps: { size: 'sm' } },
    Paper: { defaultProps: { withBorder: true, radius: 'md' } },
    Badge: { defaultProps: { tt: 'none', fw: 500 } },
    Modal: {
      defaultProps: {
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
      },
      styles: { title: { fontSize: '1.0625rem', fontWeight: 600 }, content: DIALOG_CONTENT },
    },
    Drawer: { styles: { content: DIALOG_CONTENT } },
    JsonInput: { defaultProps: { validationError: 'must be JSON' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
});

/** Secondary text with a contrast of at least 4.5 : 1 on every surface (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': gray[7],
    '--mantine-color-body': '#ffffff',
    '--mantine-color-error': '#c81e1e',
    '--console-sidebar': gray[0],
    '--console-line': gray[2],
    '--mantine-color-default-border': gray[3],
  },
  dark: {
    '--mantine-color-dimmed': dark[1],
    '--mantine-color-placeholder': dark[1],
    '--mantine-color-body': dark[8],
    '--mantine-color-error': '#f87171',
    '--console-sidebar': dark[9],
    '--console-line': dark[5],
    '--mantine-color-default-border': dark[5],
    '--mantine-color-anchor': brand[3],
  },
});
