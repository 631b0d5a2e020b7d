import { createTheme, Menu, Modal, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { texts } from '../texts/index.js';

const ink: MantineColorsTuple = [
  '#eef3ff',
  '#dce4f7',
  '#b7c6ec',
  '#8fa6e1',
  '#6d8ad7',
  '#5779d2',
  '#4b70d0',
  '#3c5fb9',
  '#3354a6',
  '#274993',
];

/** Theme of the web UI and the desktop inbox. Contrast meets WCAG 2.2 AA in both colour schemes. */
export const theme = createTheme({
  colors: { ink },
  primaryColor: 'ink',
  primaryShade: { light: 8, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  defaultRadius: 'md',
  fontFamily:
    '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Close buttons of dialogs and notifications, which have no accessible name in Mantine.
    CloseButton: { defaultProps: { 'aria-label': texts.app.close } },
    // A menu is rendered inside the landmark of its button. When it opens, its first entry gets the focus; by default,
    // Mantine focuses an element that a menu may not contain (ARIA).
    Menu: Menu.extend({
      defaultProps: { withinPortal: false, floatingStrategy: 'fixed', withInitialFocusPlaceholder: false },
    }),
    // The header of a dialog is not a banner of the page.
    Modal: Modal.extend({ defaultProps: { attributes: { header: { role: 'presentation' } } } }),
  },
});

/**
 * Text colours on a light shade of the same colour, with enough contrast to be readable (WCAG 2.2, 1.4.3). Mantine's
 * own shades lack it.
 */
const TEXT_COLORS_LIGHT = {
  blue: '#155a99',
  green: '#1d662d',
  red: '#a61e1e',
  orange: '#853800',
  yellow: '#6b4700',
  gray: '#454b52',
  ink: '#274993',
  teal: '#066649',
  grape: '#7a2a91',
};
const TEXT_COLORS_DARK = {
  blue: '#a5d8ff',
  green: '#b2f2bb',
  red: '#ffc9c9',
  orange: '#ffd8a8',
  yellow: '#ffec99',
  gray: '#dee2e6',
  ink: '#b7c6ec',
  teal: '#96f2d7',
  grape: '#eebefa',
};

function toCssVariables(colors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colors).map(([name, value]) => [`--mantine-color-${name}-light-color`, value]),
  );
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#555c63',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#bd2424',
    ...toCssVariables(TEXT_COLORS_LIGHT),
  },
  dark: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-yellow-light': '#4a2f00',
    '--mantine-color-dimmed': '#adb5bd',
    '--mantine-color-placeholder': '#a6a7ab',
    '--mantine-color-error': '#ff8787',
    ...toCssVariables(TEXT_COLORS_DARK),
  },
});
