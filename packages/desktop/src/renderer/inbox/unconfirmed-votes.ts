import type { UnconfirmedVote, UnconfirmedVotes } from '@countersign/inbox-ui';
import type { CountersignBridge, JournaledVote } from '../../common/bridge.js';

/** Returns the votes in the journal of the main process that have no response yet. */
export function createUnconfirmedVotes(bridge: CountersignBridge): UnconfirmedVotes {
  return {
    list: async () => {
      const { votes, tooOld } = await bridge.listUnsettled();
      return { votes: votes.map(toUnconfirmedVote), tooOld: tooOld.map(toUnconfirmedVote) };
    },
    forget: (idempotencyKey) => void bridge.dismissUnsettled({ idempotencyKey }),
  };
}

function toUnconfirmedVote({
  approvalId,
  title,
  round,
  subjectDigest,
  decision,
  comment = '',
  editedArguments,
  shown,
  idempotencyKey,
}: JournaledVote): UnconfirmedVote {
  return {
    approval: { approvalId, title, round, digest: subjectDigest },
    draft: {
      decision,
      comment,
      ...(editedArguments === undefined ? {} : { editedArguments }),
      ...(shown === undefined ? {} : { shown }),
    },
    key: idempotencyKey,
  };
}
