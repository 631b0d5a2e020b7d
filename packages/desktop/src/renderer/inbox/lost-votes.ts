import type { LostVote, LostVotes } from '@countersign/inbox-ui';
import type { CountersignBridge, UnsettledVote } from '../../common/bridge.js';

/** The votes that the main process has written down and has no answer to. */
export function lostVotesOf(bridge: CountersignBridge): LostVotes {
  return {
    list: async () => {
      const { votes, tooOld } = await bridge.listUnsettled();
      return { votes: votes.map(lostVote), tooOld: tooOld.map(lostVote) };
    },
    forget: (idempotencyKey) => void bridge.dismissUnsettled({ idempotencyKey }),
  };
}

function lostVote({
  approvalId,
  title,
  round,
  subjectDigest,
  decision,
  comment = '',
  editedArguments,
  shown,
  idempotencyKey,
}: UnsettledVote): LostVote {
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
