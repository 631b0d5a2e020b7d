import type { UnconfirmedVote, UnconfirmedVotes } from '@countersign/inbox-ui';
import type { CountersignBridge, UnconfirmedVoteRecord } from '../../common/bridge.js';

/** Provides the inbox with the unconfirmed votes, which the main process stores. */
export function createUnconfirmedVotes(bridge: CountersignBridge): UnconfirmedVotes {
  return {
    list: async () => {
      const { votes, tooOld } = await bridge.listUnconfirmed();
      return { votes: votes.map(toUnconfirmedVote), tooOld: tooOld.map(toUnconfirmedVote) };
    },
    forget: (idempotencyKey) => void bridge.dismissUnconfirmed({ idempotencyKey }),
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
}: UnconfirmedVoteRecord): UnconfirmedVote {
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
