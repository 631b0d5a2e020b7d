import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { toOneLine } from '@countersign/inbox-ui/ui/to-one-line';
import { IconArrowBackUp, IconCheck, IconQuestionMark, IconX, type TablerIcon } from '@tabler/icons-react';
import { texts } from '../../texts/index.js';
import type { EvidenceVote } from './read-evidence-contents.js';
import { ShortDigest } from './short-digest.js';
import { toLine } from './to-line.js';

const t = texts.evidence;
const DECISIONS: ReadonlyMap<string, readonly [verb: string, icon: TablerIcon, color: string]> = new Map([
  ['approve', [t.voted.approve, IconCheck, 'var(--cs-done)']],
  ['reject', [t.voted.reject, IconX, 'var(--cs-failed)']],
  ['request_changes', [t.voted.request_changes, IconArrowBackUp, 'var(--cs-waiting)']],
]);

/** One line about a vote: who decided what and when, the digest of the subject, and whether the vote is signed. */
export function EvidenceVoteItem({ vote }: { readonly vote: EvidenceVote }) {
  const { voter, inPlaceOf, decision, title, round, at, digest, isSigned, counts } = vote;
  const [verb, Icon, color] = DECISIONS.get(decision ?? '') ?? [toLine(decision), IconQuestionMark, undefined];
  return (
    <div className="cs-run-evidence-line">
      <Icon size={15} color={color ?? 'currentColor'} aria-hidden />
      <span>
        <b>{toLine(voter)}</b> {inPlaceOf !== null && `${t.inPlaceOf(toOneLine(inPlaceOf))} `}
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
