import { Anchor } from '@mantine/core';
import { type InboxHost, InboxHostContext, useRoleCheck } from '@countersign/inbox-ui';
import { useMemo, type ReactNode } from 'react';
import type { ServerProfile } from '../../common/state.js';
import { bridge } from '../app/bridge.js';
import { createDraftHost } from '../drafts/draft-host.js';
import { usePresence } from '../presence/presence-context.js';
import { createSnoozeHost } from '../presence/snooze-host.js';
import { useSigning } from '../signing/signing-provider.js';
import { createUnconfirmedVotes } from './unconfirmed-votes.js';
import { createEvidenceSaver } from './create-evidence-saver.js';

const drafts = createDraftHost(bridge);
const unconfirmedVotes = createUnconfirmedVotes(bridge);

/**
 * Provides the inbox with the functions of the desktop client. Links to runs open the web UI in the browser, only over
 * `https`.
 */
export function DesktopInbox({
  server,
  offline,
  children,
}: {
  readonly server: ServerProfile;
  readonly offline: boolean;
  readonly children: ReactNode;
}) {
  const hasRole = useRoleCheck();
  const {
    state: { status, signsEveryVote },
    open,
  } = useSigning();
  const { snoozed } = usePresence();
  const host = useMemo<InboxHost>(
    () => ({
      hasRole,
      offline,
      unconfirmedVotes,
      signing:
        status === 'ready'
          ? { kind: 'here', signsEveryVote }
          : status === 'off'
            ? { kind: 'elsewhere' }
            : { kind: 'to-set-up', setUp: open },
      snooze: createSnoozeHost(bridge, snoozed),
      drafts,
      saveEvidence: createEvidenceSaver(bridge),
      approvalUrl: (approvalId) => `${server.url}/approvals/${encodeURIComponent(approvalId)}`,
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
    [hasRole, offline, server, snoozed, status, signsEveryVote, open],
  );
  return <InboxHostContext.Provider value={host}>{children}</InboxHostContext.Provider>;
}
