import { Anchor } from '@mantine/core';
import { useContext, useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { BASE_URL } from '../app/base-url.js';
import { InboxHostContext, type InboxHost } from '../inbox/index.js';
import { useRoleCheck } from '../session/session.js';

/**
 * Provides the inbox host of the web UI: runs link to their pages, and there is no signing key. An outer host, such as
 * the desktop client's, takes precedence.
 */
export function WebInboxHostProvider({ children }: { readonly children: ReactNode }) {
  const outerHost = useContext(InboxHostContext);
  const checkRole = useRoleCheck();
  const host = useMemo<InboxHost>(
    () => ({
      hasRole: checkRole,
      signing: { kind: 'elsewhere' },
      approvalUrl: (approvalId) => `${BASE_URL}/approvals/${encodeURIComponent(approvalId)}`,
      runLink: (runId, text) => (
        <Anchor component={Link} to={`/runs/${runId}`} underline="always">
          {text}
        </Anchor>
      ),
    }),
    [checkRole],
  );
  return <InboxHostContext.Provider value={outerHost ?? host}>{children}</InboxHostContext.Provider>;
}
