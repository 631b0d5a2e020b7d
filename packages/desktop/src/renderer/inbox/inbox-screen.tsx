import { Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Me } from '@countersign/contract';
import {
  ApprovalsPage,
  ClientContext,
  LiveIndicator,
  PaletteButton,
  QuestionsPage,
  SessionContext,
  type Session,
} from '@countersign/web/shared';
import { useEffect, useMemo } from 'react';
import { MemoryRouter, Navigate, Route, Routes, useNavigate } from 'react-router';
import type { DesktopState, ServerProfile } from '../../common/state.js';
import { bridgeClient } from '../api/bridge-client.js';
import { Live } from '../api/live.js';
import { bridge } from '../app/bridge.js';
import { InboxPalette } from '../palette/desktop-palette.js';
import { useDesktopActions } from '../palette/use-desktop-actions.js';
import { OfflineNotice } from '../offline/offline-notice.js';
import { PresenceProvider } from '../presence/presence-context.js';
import { ServerMenu } from '../session/server-menu.js';
import { SigningNotice } from '../signing/signing-notice.js';
import { SigningProvider } from '../signing/signing-provider.js';
import { DesktopInbox } from './desktop-inbox.js';
import { PersonMenu } from './person-menu.js';
import { RoomSwitch } from './room-switch.js';

interface InboxScreenProps {
  readonly state: DesktopState;
  readonly server: ServerProfile;
  readonly me: Me;
}

/** The inbox of whoever is signed in. */
export function InboxScreen({ state, server, me }: InboxScreenProps) {
  const client = useMemo(() => bridgeClient(bridge), []);
  const session = useMemo<Session>(() => ({ me, token: () => undefined, signOut: () => void bridge.signOut() }), [me]);
  const [finding, { open, close }] = useDisclosure(false);
  useDesktopActions(true, open);
  return (
    <ClientContext.Provider value={client}>
      <SessionContext.Provider value={session}>
        <Live feed={state.feed}>
          <PresenceProvider>
            <SigningProvider>
              <MemoryRouter initialEntries={['/approvals']}>
                <OpensLinks />
                <div className="cd-window">
                  <header className="cd-header">
                    <Group gap="4px 16px">
                      <ServerMenu state={state} />
                      <RoomSwitch />
                    </Group>
                    <Group gap="md" wrap="nowrap">
                      <PaletteButton onOpen={open} />
                      <LiveIndicator />
                      <PersonMenu kept={state.session.kind !== 'signed-in' || state.session.kept} />
                    </Group>
                  </header>
                  {state.session.kind === 'offline' && <OfflineNotice asOf={state.session.asOf} />}
                  <SigningNotice />
                  <main className="cd-content">
                    <DesktopInbox server={server} offline={state.session.kind === 'offline'}>
                      <InboxPalette
                        state={state}
                        decides={me.role === 'approver' || me.role === 'admin'}
                        opened={finding}
                        onClose={close}
                      />
                      <Routes>
                        <Route path="/approvals" element={<ApprovalsPage />} />
                        <Route path="/approvals/:approvalId" element={<ApprovalsPage />} />
                        <Route path="/questions" element={<QuestionsPage />} />
                        <Route path="*" element={<Navigate to="/approvals" replace />} />
                      </Routes>
                    </DesktopInbox>
                  </main>
                </div>
              </MemoryRouter>
            </SigningProvider>
          </PresenceProvider>
        </Live>
      </SessionContext.Provider>
    </ClientContext.Provider>
  );
}

/** Shows what a link asks for, also one that came before there was anybody to show it to. */
function OpensLinks() {
  const navigate = useNavigate();
  useEffect(() => {
    const take = async (): Promise<void> => {
      const link = await bridge.takeLink();
      if (link !== null) void navigate(`/approvals/${link.approvalId}`, { state: { rejectWith: link.rejectWith } });
    };
    void take();
    return bridge.on('link', () => void take());
  }, [navigate]);
  return null;
}
