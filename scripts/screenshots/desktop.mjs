// The desktop client, light and dark, on the same examples: the `desktop-…` of docs/screenshots. It needs an Electron
// (`node scripts/electron-for-tests.mjs --download`) and, on Linux, Xvfb.
import { forget, Screen, startDesktop } from '../../test/dist/desktop/desktop.spec.support.js';

const SIZE = { width: 1280, height: 800 };

/** In the order in which a person comes to them, in one window. */
const shots = (demo, ids) => [
  { name: 'desktop-welcome', act: (page) => page.getByRole('textbox', { name: 'Address' }).waitFor() },
  {
    name: 'desktop-sign-in',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Address' }).fill(demo.url);
      await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByLabel(/^Development token/).waitFor();
    },
  },
  {
    name: 'desktop-inbox',
    act: async (page) => {
      await page.getByLabel(/^Development token/).fill(await demo.token('cleo', 'admin', ['maintainers']));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('[data-live="live"]').waitFor();
      await page.getByRole('row', { name: /release/i }).first().click();
      await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
    },
  },
  {
    name: 'desktop-tool-call',
    act: async (page, app) => {
      await app.evaluate(({ app: own }, link) => void own.emit('second-instance', {}, [link]), `countersign://approvals/${ids.call}`);
      await page.getByRole('heading', { name: 'Arguments of the call' }).waitFor();
    },
  },
  {
    name: 'desktop-palette',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('re');
      await page.getByRole('option', { name: /^Reject/ }).waitFor();
    },
    after: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-keyboard',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('set the keys');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    },
    after: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-unreachable',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('add a server');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9');
      await page.getByRole('textbox', { name: 'Name' }).fill('Warehouse');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { name: 'Warehouse does not answer' }).waitFor();
    },
  },
];

/** @param save takes a name and an image */
export async function makeDesktop(demo, ids, wanted, save) {
  const screen = await Screen.start();
  try {
    for (const colorScheme of ['light', 'dark']) {
      const { app, page, userData } = await startDesktop({ screen, env: { TZ: 'UTC' }, refuses: true });
      try {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await app.evaluate(({ BrowserWindow }, { width, height }) => BrowserWindow.getAllWindows()[0].setContentSize(width, height), SIZE);
        for (const { name, act, after } of shots(demo, ids)) {
          await act(page, app);
          await page.waitForFunction(() => [...document.querySelectorAll('.mantine-Loader-root')].every((loader) => loader.getClientRects().length === 0));
          await page.waitForTimeout(500);
          if (wanted(name)) await save(`${name}-${colorScheme}`, await page.screenshot());
          await after?.(page);
        }
      } finally {
        await app.close();
        forget(userData);
      }
    }
  } finally {
    await screen.stop();
  }
}
