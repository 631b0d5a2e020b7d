import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { changeColorScheme, expectAccessible } from '../web/web.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { hasSessionBus, SessionDesktop } from './dbus/session-desktop.spec.support.js';
import { extendUndoWindow } from '../web/undo-window.spec.support.js';
import {
  buildCommandLine,
  deleteUserData,
  hasElectron,
  Screen,
  signIn,
  startDesktop,
  type Desktop,
} from './desktop.spec.support.js';
import { approveAll, closeToTray, isVisible, waitForTooltip } from './presence.spec.support.js';

(hasElectron() && hasSessionBus() ? describe : describe.skip)('desktop: start, quit and settings', function () {
  this.timeout(60_000);

  let countersign: TestHost;
  let maker: ApprovalMaker;
  let bea: Client;
  let screen: Screen;
  let system: SessionDesktop;
  let userData: string;
  let desktop: Desktop | undefined;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence');
    bea = await countersign.client('approver', 'bea');
  });

  beforeEach(async () => {
    userData = mkdtempSync(join(tmpdir(), 'countersign-desktop-'));
    system = await SessionDesktop.start();
  });

  afterEach(async () => {
    await desktop?.close();
    desktop = undefined;
    await approveAll(bea);
    await system.stop();
    deleteUserData(userData);
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  const startApp = async (): Promise<Desktop> =>
    (desktop = await startDesktop({
      screen,
      userData,
      env: { ...system.env, XDG_CONFIG_HOME: join(userData, 'config') },
    }));
  const signInAgain = async ({ page }: Desktop): Promise<void> => {
    await page.getByLabel(/^Development token/).fill(await countersign.token('approver', { subject: 'ada' }));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
  };
  const openSettings = async ({ page }: Desktop): Promise<void> => {
    await page.getByRole('button', { name: /^ada · / }).click();
    await page.getByRole('menuitem', { name: 'Notifications and startup' }).click();
    await page.getByRole('dialog', { name: 'Notifications and startup' }).waitFor();
  };

  it('should notify about each approval only once, even after a restart', async () => {
    // given
    const first = await startApp();
    await signIn(first, countersign, 'approver', 'ada');
    await closeToTray(first, system);
    // Approvals that were open at the first poll are not new.
    await waitForTooltip(system, 'Nothing is waiting for you');
    await maker.createApproval('simple');
    await system.waitForNotification('Approve the release');
    await first.close();
    // when: the system has no keychain, so that the user signs in again
    const second = await startApp();
    await signInAgain(second);
    await closeToTray(second, system);
    await maker.createRiskyApproval();
    // then
    await system.waitForNotification('Approve the risky release');
    await waitForTooltip(system, '2 approvals are waiting for you');
    expect(system.shown.map(({ title }) => title)).to.deep.equal([
      'Countersign stays in the tray',
      'Approve the release',
      'Approve the risky release',
    ]);
  });

  it('should stay in the tray when its window is closed, reopen on a second start and quit by its menu', async () => {
    const { app } = await startApp();
    if (desktop === undefined) return;
    await closeToTray(desktop, system);
    const line = buildCommandLine(userData);
    const second = spawn(line.command, line.args, {
      env: { ...process.env, ...screen.env, ...system.env },
      stdio: 'ignore',
    });
    await once(second, 'exit');
    expect(await isVisible(desktop)).to.equal(true);
    await closeToTray(desktop, system);
    const closeEvent = app.waitForEvent('close');
    await system.chooseMenuItem('Quit Countersign');
    await closeEvent;
    desktop = undefined;
  });

  it('should ask before it quits with a pending vote, and not send the vote after it quits', async () => {
    // given: a pending vote, and a system dialog to which the test responds
    const startedDesktop = await startApp();
    const { app, page } = startedDesktop;
    const approval = await maker.createApproval('simple');
    await signIn(startedDesktop, countersign, 'approver', 'ada');
    await system.waitFor(() => system.getTooltip(), 'an icon in the tray');
    await app.evaluate(({ dialog }) => {
      const answers = [0, 1];
      (globalThis as { asked?: Promise<void> }).asked = new Promise((resolve) => {
        dialog.showMessageBoxSync = (() => {
          resolve();
          return answers.shift() ?? 1;
        }) as typeof dialog.showMessageBoxSync;
      });
    });
    await page
      .getByRole('row', { name: /Approve the release/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.clock.install();
    await extendUndoWindow(page);
    await page.keyboard.press('a');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/Approving “Approve the release”/).waitFor();
    // when: the user stays
    await system.chooseMenuItem('Quit Countersign');
    await app.evaluate(() => (globalThis as { asked?: Promise<void> }).asked);
    await closeToTray(startedDesktop, system);
    // when: the user quits
    const closeEvent = app.waitForEvent('close');
    await system.chooseMenuItem('Quit Countersign');
    await closeEvent;
    desktop = undefined;
    // then
    expect(await maker.vera.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
    });
  });

  it('should quit with its window if it is not set to keep running in the tray', async () => {
    const startedDesktop = await startApp();
    await signIn(startedDesktop, countersign, 'approver', 'ada');
    await system.waitFor(() => system.getTooltip(), 'an icon in the tray');
    await openSettings(startedDesktop);
    await startedDesktop.page.getByRole('switch', { name: /^Keep running in the tray/ }).click();
    await startedDesktop.page.getByRole('switch', { name: /^Keep running in the tray/, checked: false }).waitFor();
    const closeEvent = startedDesktop.app.waitForEvent('close');
    await startedDesktop.app.evaluate(({ BrowserWindow }) =>
      setImmediate(() => BrowserWindow.getAllWindows()[0]?.close()),
    );
    await closeEvent;
    desktop = undefined;
  });

  it('should register its global shortcut and report if another application uses the shortcut', async () => {
    // given: an application that has registered the shortcut
    const startedDesktop = await startApp();
    await signIn(startedDesktop, countersign, 'approver', 'ada');
    const isShortcutRegistered = ({ app }: Desktop, keys: string): Promise<boolean> =>
      app.evaluate(({ globalShortcut }, accelerator) => globalShortcut.isRegistered(accelerator), keys);
    expect(await isShortcutRegistered(startedDesktop, 'CommandOrControl+Shift+A')).to.equal(true);
    // when: another instance of the application tries to register it
    const other = await startDesktop({ screen, env: system.env });
    try {
      await signIn(other, countersign, 'approver', 'ada');
      await openSettings(other);
      const { page } = other;
      await page.getByRole('alert').getByText('Another application uses this shortcut.').waitFor();
      await page.getByRole('button', { name: /^Shortcut to open Countersign: Ctrl \+ Shift \+ A/ }).click();
      await page.keyboard.press('Control+Alt+Shift+K');
      // then
      await page.getByRole('button', { name: /^Shortcut to open Countersign: Ctrl \+ Alt \+ Shift \+ K/ }).waitFor();
      expect(await isShortcutRegistered(other, 'CommandOrControl+Alt+Shift+K')).to.equal(true);
      expect(await page.getByRole('alert').count()).to.equal(0);
      await page.getByRole('button', { name: 'Remove shortcut' }).click();
      await page.getByRole('button', { name: /^Shortcut to open Countersign: None/ }).waitFor();
      expect(await isShortcutRegistered(other, 'CommandOrControl+Alt+Shift+K')).to.equal(false);
    } finally {
      await other.close();
      deleteUserData(other.userData);
    }
  });

  it('should start in the tray at login if the person enables this', async () => {
    // given
    const file = join(userData, 'config/autostart/countersign.desktop');
    const startedDesktop = await startApp();
    await signIn(startedDesktop, countersign, 'approver', 'ada');
    await openSettings(startedDesktop);
    const loginSwitch = startedDesktop.page.getByRole('switch', { name: /^Start when I sign in/ });
    // when
    await loginSwitch.click();
    await startedDesktop.page.getByRole('switch', { name: /^Start when I sign in/, checked: true }).waitFor();
    // then
    expect(readFileSync(file, 'utf8'))
      .to.match(/^\[Desktop Entry\]\n/)
      .and.to.match(/^Exec=".*electron" ".*" "--background"$/m);
    await startedDesktop.page.keyboard.press('Escape');
    await system.chooseMenuItem('Start at login');
    await openSettings(startedDesktop);
    await startedDesktop.page.getByRole('switch', { name: /^Start when I sign in/, checked: false }).waitFor();
    expect(existsSync(file)).to.equal(false);
  });

  it('should have accessible settings and snooze views, in light and dark', async () => {
    await maker.createApproval('simple');
    const startedDesktop = await startApp();
    const { page } = startedDesktop;
    await signIn(startedDesktop, countersign, 'approver', 'ada');
    const expectAccessibleInBothSchemes = async (): Promise<void> => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await changeColorScheme(page, colorScheme);
        await expectAccessible(page);
      }
    };
    await openSettings(startedDesktop);
    await expectAccessibleInBothSchemes();
    await page.keyboard.press('Escape');
    await page
      .getByRole('row', { name: /Approve the release/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.keyboard.press('h');
    await page.getByRole('dialog', { name: 'Snooze this approval' }).waitFor();
    await expectAccessibleInBothSchemes();
    await page.getByRole('button', { name: /^In an hour/ }).click();
    await page.getByRole('row', { name: /^Snoozed 1/ }).waitFor();
    await expectAccessibleInBothSchemes();
  });

  it('should start in the tray when the system starts it, and open from there', async () => {
    let opened = false;
    // A page logs this late while it loads: an old Chromium does not know `webrtc`.
    const startPromise = startDesktop({
      screen,
      userData,
      args: ['--background'],
      env: system.env,
      expectsRefusals: true,
    }).then((startedDesktop) => {
      opened = true;
      return (desktop = startedDesktop);
    });
    await waitForTooltip(system, 'Countersign: not signed in');
    expect(opened).to.equal(false);
    await system.activate();
    await (await startPromise).page.getByRole('heading', { name: 'Welcome to Countersign' }).waitFor();
  });

  it('should start with its window if there is no tray', async () => {
    const withoutTray = await startDesktop({ screen, userData, args: ['--background'], expectsRefusals: true });
    await withoutTray.page.getByRole('heading', { name: 'Welcome to Countersign' }).waitFor();
    await withoutTray.close();
  });

  it('should keep working if the system shows no notifications', async () => {
    const withoutTray = await startDesktop({ screen, userData });
    await signIn(withoutTray, countersign, 'approver', 'ada');
    await withoutTray.page.locator('[data-live="live"]').waitFor();
    await withoutTray.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const failed = withoutTray.app.evaluate(
      ({ Notification }) =>
        new Promise<boolean>((resolve) => {
          const { prototype } = Notification as unknown as {
            prototype: { on(this: unknown, event: string, listener: () => void): unknown };
          };
          const { on } = prototype;
          prototype.on = function (event, listener) {
            if (event === 'failed') on.call(this, event, () => setImmediate(() => resolve(true)));
            return on.call(this, event, listener);
          };
        }),
    );
    await maker.createApproval('simple');
    expect(await failed).to.equal(true);
    await withoutTray.page.getByRole('row', { name: /Approve the release/ }).waitFor();
    await withoutTray.close();
  });

  it('should notify only about high and critical risk if the person chooses this', async () => {
    const startedDesktop = await startApp();
    await signIn(startedDesktop, countersign, 'approver', 'ada');
    await openSettings(startedDesktop);
    await startedDesktop.page.getByRole('radio', { name: 'Only high-risk and critical-risk approvals' }).click();
    await startedDesktop.page
      .getByRole('radio', { name: 'Only high-risk and critical-risk approvals', checked: true })
      .waitFor();
    await closeToTray(startedDesktop, system);
    await maker.createApproval('simple');
    await waitForTooltip(system, '1 approval is waiting for you');
    await maker.createRiskyApproval();
    await system.waitForNotification('Approve the risky release');
    expect(system.shown.map(({ title }) => title)).to.deep.equal([
      'Countersign stays in the tray',
      'Approve the risky release',
    ]);
  });
});
