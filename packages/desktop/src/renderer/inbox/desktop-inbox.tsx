import { Anchor } from '@mantine/core';
import { type InboxHost, InboxHostContext, useRoleCheck } from '@countersign/inbox-ui';
import { useMemo, type ReactNode } from 'react';
import type { ServerProfile } from '../../common/state.js';
import { bridge } from '../app/bridge.js';
import { draftHostOf } from '../drafts/draft-host.js';
import { usePresence } from '../presence/presence-context.js';
import { snoozeHostOf } from '../presence/snooze-host.js';
import { useSigning } from '../signing/signing-provider.js';
import { unconfirmedVotesOf } from './unconfirmed-votes.js';
import { evidenceSaver } from './save-evidence.js';

const drafts = draftHostOf(bridge);
const unconfirmedVotes = unconfirmedVotesOf(bridge);

/** The inbox in a separate window: runs open in the web UI, in the browser, and only over `https`. */
export function DesktopInbox({
  server,
  offline,
  children,
}: {
  readonly server: ServerProfile;
  readonly offline: boolean;
  readonly children: ReactNode;
}) {
  const may = useRoleCheck();
  const {
    state: { status, signsEvery },
    open,
  } = useSigning();
  const { snoozed } = usePresence();
  const host = useMemo<InboxHost>(
    () => ({
      may,
      offline,
      unconfirmedVotes,
      signing:
        status === 'ready'
          ? { kind: 'here', every: signsEvery }
          : status === 'off'
            ? { kind: 'elsewhere' }
            : { kind: 'to-set-up', setUp: open },
      snooze: snoozeHostOf(bridge, snoozed),
      drafts,
      saveEvidence: evidenceSaver(bridge),
      runLink: (runId, text) =>
        server.url.startsWith('https:') ? (
          <Anchor
            component="button"
            type="button"
            underline="always"
            onClick={() => void bridge.openLink({ url: `${server.url}/runs/${encodeURIComponent(runId)}` })}
          >
            {text}
          </Anchor>
        ) : (
          text
        ),
    }),
    [may, offline, server, snoozed, status, signsEvery, open],
  );
  return <InboxHostContext.Provider value={host}>{children}</InboxHostContext.Provider>;
}
