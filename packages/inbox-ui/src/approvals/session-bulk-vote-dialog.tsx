import { useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { toShownEvidence } from '../inbox/index.js';
import { lazyDialog } from '../ui/lazy-dialog.js';
import { getBulkVoteStore } from './bulk-vote-store.js';

const BulkVoteDialog = lazyDialog(async () => (await import('../inbox/bulk-vote-dialog.js')).BulkVoteDialog);

/**
 * Dialog that approves several approvals together. It belongs to the application shell, so that the browser's Back
 * button does not undo anything.
 */
export function SessionBulkVoteDialog() {
  const client = useClient();
  const store = getBulkVoteStore(client);
  const bulkVote = useSyncExternalStore(store.subscribe, store.getSnapshot);
  if (bulkVote === undefined) return null;
  return (
    <BulkVoteDialog
      approvals={bulkVote.approvals}
      seen={bulkVote.seenEvidence}
      newIdempotencyKey={newIdempotencyKey}
      onSend={(chosen, idempotencyKey) =>
        client.decideApprovals(
          {
            body: {
              decisions: chosen.map((each) => {
                const shown = toShownEvidence(each, bulkVote.seenEvidence);
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
      onClose={() => store.close()}
    />
  );
}
