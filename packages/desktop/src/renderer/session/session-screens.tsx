import { Button, Modal, Stack, Text } from '@mantine/core';
import type { Me } from '@countersign/contract';
import { Loading } from '@countersign/inbox-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { bridge } from '../app/bridge.js';
import { texts } from '../app/texts.js';
import type { DesktopState, SessionState } from '../../common/state.js';
import { InboxScreen } from '../inbox/inbox-screen.js';
import { AddServerForm } from './add-server-form.js';
import { Screen } from './screen.js';
import { SignInForm } from './sign-in-form.js';

/** Shows the screen for the state of the session, such as the inbox or the sign-in form. */
export function SessionScreens({ state }: { readonly state: DesktopState }) {
  const { session, servers, activeServerId } = state;
  const server = servers.find(({ serverId }) => serverId === activeServerId);
  const currentUser = useCurrentUser(session, activeServerId);
  if (server === undefined || session.kind === 'none') {
    return (
      <Screen title={texts.welcome} state={state}>
        <Text>{texts.welcomeHint}</Text>
        <AddServerForm />
      </Screen>
    );
  }
  if (currentUser !== undefined) {
    return (
      <>
        {/* The key resets the screen if the user or the server changes. */}
        <InboxScreen key={`${server.serverId} ${currentUser.subject}`} state={state} server={server} me={currentUser} />
        {session.kind !== 'signed-in' && session.kind !== 'offline' && (
          <Modal
            opened
            onClose={() => undefined}
            withCloseButton={false}
            closeOnEscape={false}
            closeOnClickOutside={false}
            title={texts.endedTitle}
            zIndex={1_000}
            centered
          >
            <Stack>
              <Text>{texts.endedHint}</Text>
              <SignInForm session={session} />
            </Stack>
          </Modal>
        )}
      </>
    );
  }
  if (session.kind === 'unreachable') {
    return (
      <Screen title={texts.unreachable(server.name)} state={state}>
        <Text role="alert">{session.failure.message}</Text>
        <Text c="dimmed">{texts.unreachableHint}</Text>
        <Button variant="default" onClick={() => void bridge.retry()}>
          {texts.retry}
        </Button>
      </Screen>
    );
  }
  if (session.kind === 'no-role') {
    return (
      <Screen title={texts.noRoleTitle} state={state}>
        <Text>{texts.noRole}</Text>
        <Button variant="default" onClick={() => void bridge.signOut()}>
          {texts.signOut}
        </Button>
      </Screen>
    );
  }
  if (session.kind === 'connecting') return <Loading />;
  return (
    <Screen title={texts.signInTo(server.name)} state={state}>
      <SignInForm session={session} />
    </Screen>
  );
}

/**
 * Returns the signed-in user. After the session has expired, returns the previous user until a user signs in, so that
 * typed text is kept. If the user or the server changes, clears the cached data.
 */
function useCurrentUser(session: SessionState, serverId: string | null): Me | undefined {
  const queryClient = useQueryClient();
  const lastUser = useRef<{ readonly me: Me; readonly serverId: string | null }>(undefined);
  const keepsLastUser =
    lastUser.current?.serverId === serverId &&
    ((session.kind === 'signed-out' && session.reason !== 'signed_out') || session.kind === 'signing-in');
  if (session.kind === 'signed-in' || session.kind === 'offline') lastUser.current = { me: session.me, serverId };
  else if (!keepsLastUser) lastUser.current = undefined;
  const ownerKey = lastUser.current === undefined ? undefined : `${serverId ?? ''} ${lastUser.current.me.subject}`;
  const previousOwnerKey = useRef(ownerKey);
  useEffect(() => {
    if (previousOwnerKey.current !== ownerKey) queryClient.clear();
    previousOwnerKey.current = ownerKey;
  }, [ownerKey, queryClient]);
  return lastUser.current?.me;
}
