import { useDisclosure } from '@mantine/hooks';
import type { Me } from '@countersign/contract';
import { ClientContext, followRouter, type Session, SessionContext } from '@countersign/inbox-ui';
import { useMemo, useState } from 'react';
import { RouterProvider } from 'react-router';
import type { DesktopState, ServerProfile } from '../../common/state.js';
import { bridgeClient } from '../api/bridge-client.js';
import { Live } from '../api/live.js';
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
  const client = useMemo(() => bridgeClient(bridge), []);
  const session = useMemo<Session>(() => ({ me, token: () => undefined, signOut: () => void bridge.signOut() }), [me]);
  const [router] = useState(createInboxRouter);
  // Not where the router is created: in development, React creates two and keeps one.
  followRouter(router);
  const [finding, { open: openPalette, close: closePalette }] = useDisclosure(false);
  useDesktopActions(true, openPalette);
  const shown = useMemo(
    () => ({ state, server, me, finding, openPalette, closePalette }),
    [state, server, me, finding, openPalette, closePalette],
  );
  return (
    <ClientContext.Provider value={client}>
      <SessionContext.Provider value={session}>
        <Live feed={state.feed}>
          <PresenceProvider>
            <SigningProvider>
              <InboxWindowContext.Provider value={shown}>
                <RouterProvider router={router} />
              </InboxWindowContext.Provider>
            </SigningProvider>
          </PresenceProvider>
        </Live>
      </SessionContext.Provider>
    </ClientContext.Provider>
  );
}
