import { leaveSession, useCommonActions, useShortcuts } from '@countersign/inbox-ui';
import { ZOOM_STEPS } from '../../common/zoom.js';
import { bridge } from '../app/bridge.js';

/**
 * Registers the actions that are available on every screen of the client.
 *
 * @param canSignOut whether a user is signed in and can sign out
 */
export function useDesktopActions(canSignOut: boolean, openPalette: () => void): void {
  useCommonActions();
  useShortcuts([
    { action: 'app.palette', run: openPalette },
    ...ZOOM_STEPS.map((step) => ({ action: `zoom.${step}`, run: () => void bridge.zoom({ step }) })),
    { action: 'app.signOut', run: canSignOut ? () => leaveSession(() => void bridge.signOut()) : undefined },
  ]);
}
