import { Anchor } from '@mantine/core';
import { useContext, useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { InboxHostContext, type InboxHost } from '../inbox/index.js';
import { useRoleCheck } from '../session/session.js';

/**
 * Inbox host of the web UI: runs are pages, and there is no signing key. An outer host, such as the desktop client's,
 * takes precedence.
 */
export function WebInboxHostProvider({ children }: { readonly children: ReactNode }) {
  const outerHost = useContext(InboxHostContext);
  const may = useRoleCheck();
  const host = useMemo<InboxHost>(
    () => ({
      hasRole: may,
      signing: { kind: 'elsewhere' },
      runLink: (runId, text) => (
        <Anchor component={Link} to={`/runs/${runId}`} underline="always">
          {text}
        </Anchor>
      ),
    }),
    [may],
  );
  return <InboxHostContext.Provider value={outerHost ?? host}>{children}</InboxHostContext.Provider>;
}
