import { Group } from '@mantine/core';
import type { Me } from '@countersign/contract';
import { CommentNotifications, LiveIndicator, PaletteButton, SessionPendingVotes } from '@countersign/inbox-ui';
import { createContext, useContext, useEffect } from 'react';
import { Outlet, useNavigate } from 'react-router';
import type { DesktopState, ServerProfile } from '../../common/state.js';
import { bridge } from '../app/bridge.js';
import { OfflineNotice } from '../offline/offline-notice.js';
import { InboxPalette } from '../palette/desktop-palette.js';
import { ServerMenu } from '../session/server-menu.js';
import { SigningKeyNotifications } from '../signing/signing-key-notifications.js';
import { SigningNotice } from '../signing/signing-notice.js';
import { DesktopInbox } from './desktop-inbox.js';
import { DesktopUserMenu } from './desktop-user-menu.js';
import { InboxTabs } from './inbox-tabs.js';

interface InboxWindowState {
  readonly state: DesktopState;
  readonly server: ServerProfile;
  readonly me: Me;
  /** Whether the palette is open. */
  readonly isPaletteOpen: boolean;
  openPalette(): void;
  closePalette(): void;
}

/** State for the route elements, which are created only once and cannot receive it as props. */
export const InboxWindowContext = createContext<InboxWindowState | undefined>(undefined);

/** Frame around the pages of the inbox. */
export function InboxWindow() {
  const windowState = useContext(InboxWindowContext);
  if (windowState === undefined) throw new Error('Render InboxWindow inside InboxScreen.');
  const { state, server, me, isPaletteOpen, openPalette, closePalette } = windowState;
  return (
    <>
      <LinkOpener />
      <div className="cd-window">
        <header className="cd-header">
          <Group gap="4px 16px">
            <ServerMenu state={state} />
            <InboxTabs />
          </Group>
          <Group gap="md" wrap="nowrap">
            <PaletteButton onOpen={openPalette} />
            <LiveIndicator />
            <DesktopUserMenu isSessionPersistent={state.session.kind !== 'signed-in' || state.session.kept} />
          </Group>
        </header>
        {state.session.kind === 'offline' && <OfflineNotice asOf={state.session.asOf} />}
        <SigningNotice />
        {state.session.kind === 'signed-in' && <SigningKeyNotifications />}
        <main className="cd-content">
          <DesktopInbox server={server} offline={state.session.kind === 'offline'}>
            <InboxPalette
              state={state}
              canDecide={me.role === 'approver' || me.role === 'admin'}
              opened={isPaletteOpen}
              onClose={closePalette}
            />
            <Outlet />
            <SessionPendingVotes />
            <CommentNotifications />
          </DesktopInbox>
        </main>
      </div>
    </>
  );
}

/** Opens the approval or question that a link refers to, even if the link arrived before the window was ready. */
function LinkOpener() {
  const navigate = useNavigate();
  useEffect(() => {
    const openPendingLink = async (): Promise<void> => {
      const link = await bridge.takeLink();
      if (link === null) return;
      if ('questionId' in link) void navigate(`/approvals/questions/${link.questionId}`);
      else void navigate(`/approvals/${link.approvalId}`, { state: { rejectWith: link.rejectWith } });
    };
    void openPendingLink();
    return bridge.on('link', () => void openPendingLink());
  }, [navigate]);
  return null;
}
