import { useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { BulkVoteDialog, shownWith } from '../inbox/index.js';
import { togetherStoreOf } from './together-store.js';

/**
 * Dialog that approves several approvals together. It belongs to the application shell, so that the browser's Back
 * button undoes nothing.
 */
export function TogetherDialog() {
  const client = useClient();
  const store = togetherStoreOf(client);
  const together = useSyncExternalStore(store.subscribe, store.current);
  if (together === undefined) return null;
  return (
    <BulkVoteDialog
      chosen={together.chosen}
      seen={together.seen}
      newIdempotencyKey={newIdempotencyKey}
      onSend={(chosen, idempotencyKey) =>
        client.decideApprovals(
          {
            body: {
              decisions: chosen.map((each) => {
                const shown = shownWith(each, together.seen);
                return {
                  approvalId: each.approvalId,
                  decision: 'approve',
                  expectedDigest: each.digest,
                  round: each.round,
                  ...(shown === undefined ? {} : { shown }),
                };
              }),
            },
          },
          { idempotencyKey },
        )
      }
      onClose={() => store.end()}
    />
  );
}
