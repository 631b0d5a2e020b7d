import type { Client } from '@countersign/contract';
import { expect } from 'chai';
import type { SessionDesktop } from './dbus/session-desktop.spec.support.js';
import type { Desktop } from './desktop.spec.support.js';

/** The person closes the window into the tray, and goes about their day. */
export async function goAway(desktop: Desktop, system: SessionDesktop): Promise<void> {
  await system.until(() => system.tooltip(), 'an icon in the tray');
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await isVisible(desktop)).to.equal(false);
}

export async function isVisible({ app }: Desktop): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
}

/** The machine sleeps, and wakes that much later. @param ms from now */
export async function sleepUntil({ app }: Desktop, ms: number): Promise<void> {
  await app.evaluate(({ powerMonitor }, later) => {
    // eslint-disable-next-line no-restricted-syntax -- this runs in the application, whose clock it sets
    const now = Date.now();
    // eslint-disable-next-line no-restricted-syntax -- this runs in the application, whose clock it sets
    Date.now = () => now + later;
    powerMonitor.emit('resume');
  }, ms);
}

/** Someone else decides all that waits, so that nothing is left of what was before. */
export async function decideAll(other: Client): Promise<void> {
  const { items } = await other.listApprovals({ inbox: 'mine', limit: 200 });
  for (const { approvalId, digest, round } of items)
    await other.decideApproval({ approvalId, body: { decision: 'approve', expectedDigest: digest, round } });
}

export async function untilTooltip(system: SessionDesktop, text: string): Promise<void> {
  await system.until(async () => ((await system.tooltip()) === text ? true : undefined), `the tooltip “${text}”`);
}
