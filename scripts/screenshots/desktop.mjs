// Makes the screenshots of the desktop client (`desktop-…` in docs/screenshots), light and dark, with the demo server.
// Needs an Electron (`node scripts/electron-for-tests.mjs --download`) and, on Linux, Xvfb.
import { deleteUserData, Screen, startDesktop } from '../../test/dist/desktop/desktop.spec.support.js';

const SIZE = Object.freeze({ width: 1280, height: 800 });

/** Opens a dialog with its command in the palette. */
async function openDialog(page, command, dialog) {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: dialog }).waitFor();
}

/** Returns the screenshots in the order in which a user meets the views. They share one window. */
const listScreenshots = (demo, ids) => [
  { name: 'desktop-welcome', prepare: (page) => page.getByRole('textbox', { name: 'Address' }).waitFor() },
  {
    name: 'desktop-sign-in',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Address' }).fill(demo.url);
      await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByLabel(/^Development token/).waitFor();
    },
  },
  {
    name: 'desktop-inbox',
    prepare: async (page) => {
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
    prepare: async (page, app) => {
      await app.evaluate(
        ({ app: electronApp }, link) => void electronApp.emit('second-instance', {}, [link]),
        `countersign://approvals/${ids.call}`,
      );
      await page.getByRole('heading', { name: 'Call arguments' }).waitFor();
    },
  },
  {
    name: 'desktop-high-risk',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('form').getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('dialog').waitFor();
    },
    cleanUp: async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Go back' }).click();
    },
  },
  {
    name: 'desktop-palette',
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('re');
      await page.getByRole('option', { name: /^Reject/ }).waitFor();
    },
    cleanUp: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-keyboard',
    prepare: (page) => openDialog(page, 'customize shortcuts', 'Keyboard'),
    cleanUp: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-notifications',
    prepare: (page) => openDialog(page, 'notifications and start', 'Notifications and startup'),
    cleanUp: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-signing-key',
    prepare: async (page) => {
      await openDialog(page, 'signing key', 'Signing key');
      await page.getByRole('textbox', { name: /^Device name/ }).fill('Work laptop');
    },
    cleanUp: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'desktop-questions',
    prepare: async (page) => {
      await page.keyboard.press('g');
      await page.keyboard.press('q');
      await page.getByRole('row').nth(1).click();
      await page.getByRole('article').waitFor();
    },
    cleanUp: async (page) => {
      await page.keyboard.press('g');
      await page.keyboard.press('a');
    },
  },
  {
    name: 'desktop-unreachable',
    prepare: async (page) => {
      await openDialog(page, 'add server', 'Add server');
      await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9');
      await page.getByRole('textbox', { name: 'Name' }).fill('Warehouse');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { name: 'Warehouse is not responding' }).waitFor();
    },
  },
];

/**
 * Makes the screenshots.
 *
 * @param isRequested returns whether the screenshot with this name is saved
 * @param save saves an image under a name
 */
export async function makeDesktopScreenshots(demo, ids, isRequested, save, size = SIZE) {
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
        for (const { name, prepare, cleanUp } of listScreenshots(demo, ids)) {
          await prepare(page, app);
          await page.waitForFunction(() =>
            [...document.querySelectorAll('.mantine-Loader-root')].every(
              (loader) => loader.getClientRects().length === 0,
            ),
          );
          await page.waitForTimeout(500);
          if (isRequested(name)) await save(`${name}-${colorScheme}`, await page.screenshot());
          await cleanUp?.(page);
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
