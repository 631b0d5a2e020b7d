// The desktop client, light and dark, on the same examples: the `desktop-…` of docs/screenshots. It needs an Electron
// (`node scripts/electron-for-tests.mjs --download`) and, on Linux, Xvfb.
import { deleteUserData, Screen, startDesktop } from '../../test/dist/desktop/desktop.spec.support.js';

const SIZE = Object.freeze({ width: 1280, height: 800 });

/** Opens a dialog by its name in the palette. */
async function find(page, what, dialog) {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(what);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: dialog }).waitFor();
}

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
      await page
        .getByRole('row', { name: /release/i })
        .first()
        .click();
      await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
    },
  },
  {
    name: 'desktop-tool-call',
    act: async (page, app) => {
      await app.evaluate(
        ({ app: own }, link) => void own.emit('second-instance', {}, [link]),
        `countersign://approvals/${ids.call}`,
      );
      await page.getByRole('heading', { name: 'Arguments of the call' }).waitFor();
    },
  },
  {
    name: 'desktop-high-risk',
    act: async (page) => {
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('form').getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('dialog').waitFor();
    },
    after: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Not now' }).click();
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
    act: (page) => find(page, 'customize shortcuts', 'Keyboard'),
    after: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-notifications',
    act: (page) => find(page, 'notifications and start', 'Notifications and startup'),
    after: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-signing-key',
    act: async (page) => {
      await find(page, 'signing key', 'Signing key');
      await page.getByRole('textbox', { name: /^Device name/ }).fill('Work laptop');
    },
    after: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-questions',
    act: async (page) => {
      await page.keyboard.press('g');
      await page.keyboard.press('q');
      await page.getByRole('row').nth(1).click();
      await page.getByRole('article').waitFor();
    },
    after: async (page) => {
      await page.keyboard.press('g');
      await page.keyboard.press('a');
    },
  },
  {
    name: 'desktop-unreachable',
    act: async (page) => {
      await find(page, 'add a server', 'Add a server');
      await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9');
      await page.getByRole('textbox', { name: 'Name' }).fill('Warehouse');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { name: 'Warehouse is not responding' }).waitFor();
    },
  },
];

/** @param save takes a name and an image */
export async function makeDesktop(demo, ids, wanted, save, size = SIZE) {
  const screen = await Screen.start();
  try {
    for (const colorScheme of ['light', 'dark']) {
      const { app, page, userData } = await startDesktop({ screen, env: { TZ: 'UTC' }, refuses: true });
      try {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await app.evaluate(
          ({ BrowserWindow }, { width, height }) => BrowserWindow.getAllWindows()[0].setContentSize(width, height),
          size,
        );
        for (const { name, act, after } of shots(demo, ids)) {
          await act(page, app);
          await page.waitForFunction(() =>
            [...document.querySelectorAll('.mantine-Loader-root')].every(
              (loader) => loader.getClientRects().length === 0,
            ),
          );
          await page.waitForTimeout(500);
          if (wanted(name)) await save(`${name}-${colorScheme}`, await page.screenshot());
          await after?.(page);
        }
      } finally {
        await app.close();
        deleteUserData(userData);
      }
    }
  } finally {
    await screen.stop();
  }
}
