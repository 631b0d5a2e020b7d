import { useSyncExternalStore } from 'react';
import { useClient } from '../api/client-context.js';
import { newIdempotencyKey } from '../api/new-idempotency-key.js';
import { BulkVoteDialog, shownWith } from '../inbox/index.js';
import { togetherStoreOf } from './together-store.js';

/** Approves several together. It belongs to the shell of the application, so that the browser's Back takes nothing back. */
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
