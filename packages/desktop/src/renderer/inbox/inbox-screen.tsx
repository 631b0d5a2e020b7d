import { useDisclosure } from '@mantine/hooks';
import type { Me } from '@countersign/contract';
import { ClientContext, trackRouter, type Session, SessionContext } from '@countersign/inbox-ui';
import { useMemo, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import type { DesktopState, ServerProfile } from '../../common/state.js';
import { createBridgeClient } from '../api/bridge-client.js';
import { DesktopLiveUpdates } from '../api/desktop-live-updates.js';
import { bridge } from '../app/bridge.js';
import { useDesktopActions } from '../palette/use-desktop-actions.js';
import { PresenceProvider } from '../presence/presence-context.js';
import { SigningProvider } from '../signing/signing-provider.js';
import { createInboxRouter } from './inbox-router.js';
import { InboxWindowContext } from './inbox-window.js';

interface InboxScreenProps {
  readonly state: DesktopState;
  readonly server: ServerProfile;
  readonly me: Me;
}

/** The inbox of the signed-in user. */
export function InboxScreen({ state, server, me }: InboxScreenProps) {
  const client = useMemo(() => createBridgeClient(bridge), []);
  const session = useMemo<Session>(() => ({ me, token: () => undefined, signOut: () => void bridge.signOut() }), [me]);
  const [router] = useState(createInboxRouter);
  // Not in the initialiser of the state: in development, React calls it twice and keeps only one router.
  trackRouter(router);
  const [isPaletteOpen, { open: openPalette, close: closePalette }] = useDisclosure(false);
  useDesktopActions(true, openPalette);
  const windowState = useMemo(
    () => ({ state, server, me, isPaletteOpen, openPalette, closePalette }),
    [state, server, me, isPaletteOpen, openPalette, closePalette],
  );
  return (
    <ClientContext.Provider value={client}>
      <SessionContext.Provider value={session}>
        <DesktopLiveUpdates feed={state.feed}>
          <PresenceProvider>
            <SigningProvider>
              <InboxWindowContext.Provider value={windowState}>
                <RouterProvider router={router} />
              </InboxWindowContext.Provider>
            </SigningProvider>
          </PresenceProvider>
        </DesktopLiveUpdates>
      </SessionContext.Provider>
    </ClientContext.Provider>
  );
}
