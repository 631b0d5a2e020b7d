import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import type { SessionDesktop } from './dbus/session-desktop.spec.support.js';
import type { Desktop } from './desktop.spec.support.js';

/** Closes the window, which keeps the application running in the tray. */
export async function closeToTray(desktop: Desktop, system: SessionDesktop): Promise<void> {
  await system.waitFor(() => system.getTooltip(), 'an icon in the tray');
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await isVisible(desktop)).to.equal(false);
}

export async function isVisible({ app }: Desktop): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
}

/** Simulates sleep and wake-up of the machine. @param ms duration from now */
export async function simulateSleep({ app }: Desktop, ms: number): Promise<void> {
  await app.evaluate(({ powerMonitor }, durationMs) => {
    // eslint-disable-next-line no-restricted-syntax -- this runs in the application, whose clock it sets
    const now = Date.now();
    // eslint-disable-next-line no-restricted-syntax -- this runs in the application, whose clock it sets
    Date.now = () => now + durationMs;
    powerMonitor.emit('resume');
  }, ms);
}

/** Approves all open approvals of the user of the client, so that none remains. */
export async function approveAll(client: Client): Promise<void> {
  const { items } = await client.listApprovals({ inbox: 'mine', limit: 200 });
  for (const { approvalId, digest, round } of items)
    await client.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest, round } });
}

export async function waitForTooltip(system: SessionDesktop, text: string): Promise<void> {
  await system.waitFor(async () => ((await system.getTooltip()) === text ? true : undefined), `the tooltip “${text}”`);
}
