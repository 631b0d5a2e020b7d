import { leaveSession, useCommonActions, useShortcuts } from '@countersign/inbox-ui';
import { ZOOM_STEPS } from '../../common/zoom.js';
import { bridge } from '../app/bridge.js';

/**
 * Registers the actions of every screen of the client.
 *
 * @param signedIn whether a user can sign out
 */
export function useDesktopActions(signedIn: boolean, openPalette: () => void): void {
  useCommonActions();
  useShortcuts([
    { action: 'app.palette', run: openPalette },
    ...ZOOM_STEPS.map((step) => ({ action: `zoom.${step}`, run: () => void bridge.zoom({ step }) })),
    { action: 'app.signOut', run: signedIn ? () => leaveSession(() => void bridge.signOut()) : undefined },
  ]);
}
