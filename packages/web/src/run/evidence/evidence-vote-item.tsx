import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { toOneLine } from '@countersign/inbox-ui/ui/to-one-line';
import { APPROVAL_DECISIONS } from '@countersign/contract';
import { IconQuestionMark } from '@tabler/icons-react';
import { texts } from '../../texts/index.js';
import { VOTE_MARKS } from '../approvals/vote-marks.js';
import type { EvidenceVote } from './read-evidence-contents.js';
import { ShortDigest } from './short-digest.js';
import { toLine } from './to-line.js';

const t = texts.evidence;
const UNKNOWN_MARK = { Icon: IconQuestionMark, color: 'currentColor' };

/** One line about a vote: who decided what and when, the digest of the subject, and whether the vote is signed. */
export function EvidenceVoteItem({ vote }: { readonly vote: EvidenceVote }) {
  const { voter, inPlaceOf, decision, title, round, at, digest, isSigned, counts } = vote;
  const knownDecision = APPROVAL_DECISIONS.find((each) => each === decision);
  const verb = knownDecision === undefined ? toLine(decision) : t.voted[knownDecision];
  const { Icon, color } = knownDecision === undefined ? UNKNOWN_MARK : VOTE_MARKS[knownDecision];
  return (
    <div className="cs-run-evidence-line">
      <Icon size={15} color={color} aria-hidden />
      <span>
        <b>{toLine(voter)}</b> {inPlaceOf !== null && `${texts.approvals.inPlaceOf(toOneLine(inPlaceOf))} `}
        {verb} <b>{toLine(title)}</b>
      </span>
      <span className="cs-run-evidence-detail">
        {round !== null && `${t.round(round)}, `}
        {at !== null && (
          <>
            <Timestamp at={at} />
            {', '}
          </>
        )}
        {isSigned ? t.signed : t.unsigned}
        {!counts && `, ${t.notCounted}`}
      </span>
      <ShortDigest digest={digest} copyLabel={t.copyVoteDigest(toLine(title))} />
    </div>
  );
}
