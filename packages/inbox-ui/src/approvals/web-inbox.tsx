import { Anchor } from '@mantine/core';
import { useContext, useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { InboxHostContext, type InboxHost } from '../inbox/index.js';
import { useRoleCheck } from '../session/session.js';

/** The inbox in a page: runs are pages too, and there is no key to sign with. A host from outside, as the desktop client is one, wins. */
export function WebInbox({ children }: { readonly children: ReactNode }) {
  const outer = useContext(InboxHostContext);
  const may = useRoleCheck();
  const host = useMemo<InboxHost>(
    () => ({
      may,
      signing: { kind: 'elsewhere' },
      runLink: (runId, text) => (
        <Anchor component={Link} to={`/runs/${runId}`} underline="always">
          {text}
        </Anchor>
      ),
    }),
    [may],
  );
  return <InboxHostContext.Provider value={outer ?? host}>{children}</InboxHostContext.Provider>;
}
