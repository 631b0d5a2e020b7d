import { Checkbox, Text } from '@mantine/core';
import type { InboxItem } from '@countersign/contract';
import { IconChecklist, IconClockPause, IconMessage, IconSignature, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import { useHasNewComments } from '../comments/visits-context.js';
import { useNow } from '../time/use-now.js';
import { texts } from '../texts/index.js';
import { ApprovalStatusBadge, RiskBadge } from '../ui/badges.js';
import { getSecondsLeft } from './pending-votes.js';
import { describeRequest } from './describe-request.js';
import { useInboxHost } from './inbox-host.js';
import { toOneLine } from '../ui/to-one-line.js';
import type { PendingVote } from './pending-vote.js';
import { Age, DueDate, ItemKind, RowTitle } from './row-parts.js';
import { shortenRunId } from './shorten-run-id.js';
import { formatSnooze } from './snooze-times.js';
import './inbox.css';

interface ApprovalRowContentProps {
  readonly approval: InboxItem;
  readonly entry: PendingVote | undefined;
  readonly isSelected: boolean;
  /** If omitted, the approval cannot be selected. */
  onChoose?(approval: InboxItem): void;
}

/**
 * Content of an approval's row: title, summary, risk, urgency, requester, and details that distinguish similar
 * approvals. It is rendered again only if its own content changes, not on each move through the list.
 */
export const ApprovalRowContent = memo(function ApprovalRowContent({
  approval,
  entry,
  isSelected,
  onChoose,
}: ApprovalRowContentProps) {
  const { title, riskLevel, status, runId, requestedAt, requestedBy, workflowId, round, quorum } = approval;
  const t = texts.approvals;
  const request = describeRequest(approval);
  const snoozedUntil = useInboxHost().snooze?.snoozedUntil(approval);
  return (
    <>
      <div className="cs-inbox-choose">
        {onChoose !== undefined && (
          <Checkbox
            size="xs"
            tabIndex={-1}
            checked={isSelected}
            onChange={() => onChoose(approval)}
            aria-label={t.select(toOneLine(title))}
          />
        )}
      </div>
      <div className="cs-inbox-text">
        <div className="cs-inbox-first">
          <RowTitle text={title} />
          <span className="cs-inbox-end">
            {entry !== undefined && <PendingVoteLabel entry={entry} />}
            {approval.inPlaceOf !== null && (
              <Text component="span" size="xs" fw={600}>
                {t.forWhom(toOneLine(approval.inPlaceOf, 40))}
              </Text>
            )}
            {snoozedUntil !== undefined && <SnoozeLabel until={snoozedUntil} />}
            <DueDate dueAt={status === 'pending' ? approval.dueAt : null} />
          </span>
        </div>
        <Text size="sm" className="cs-inbox-effect" lineClamp={2} title={request}>
          <ItemKind icon={IconChecklist} label={texts.itemKinds.approval} /> <bdi>{request}</bdi>
        </Text>
        <div className="cs-inbox-meta">
          {status === 'pending' ? <RiskBadge level={riskLevel} /> : <ApprovalStatusBadge status={status} />}
          <Text component="span" size="xs" c="dimmed" truncate>
            {[toOneLine(requestedBy, 40), toOneLine(workflowId, 40), ...(round > 1 ? [t.round(round)] : [])].join(
              ' · ',
            )}
          </Text>
          <Text component="span" size="xs" c="dimmed" className="cs-inbox-which">
            {t.ofRun(shortenRunId(runId))} · <Age at={requestedAt} />
          </Text>
          <CommentCount approval={approval} />
          {approval.signatureRequired && status === 'pending' && (
            <Text component="span" size="xs" c="dimmed" className="cs-inbox-quorum">
              <IconSignature size={12} aria-hidden /> {t.needsSignature}
            </Text>
          )}
          {quorum.required > 1 && (
            <Text component="span" size="xs" c="dimmed" className="cs-inbox-quorum">
              <IconUsers size={12} aria-hidden /> {t.quorum(quorum.approvals, quorum.required)}
            </Text>
          )}
        </div>
      </div>
    </>
  );
});

function CommentCount({ approval }: { readonly approval: InboxItem }) {
  const count = approval.comments?.count ?? 0;
  const hasNew = useHasNewComments(approval);
  if (count === 0) return null;
  const t = texts.comments;
  return (
    <Text component="span" size="xs" className="cs-inbox-quorum" {...(hasNew ? { fw: 600 } : { c: 'dimmed' })}>
      <IconMessage size={12} aria-hidden /> {hasNew ? t.countWithNew(count) : t.count(count)}
    </Text>
  );
}

function PendingVoteLabel({ entry: { state, sendAt } }: { readonly entry: PendingVote }) {
  const now = useNow();
  const t = texts.approvals;
  if (state !== 'undoable' && state !== 'sending') return null;
  return (
    <Text component="span" size="xs" fw={600}>
      {state === 'sending' ? t.sending : t.waiting(getSecondsLeft(sendAt, now))}
    </Text>
  );
}

function SnoozeLabel({ until }: { readonly until: number }) {
  const now = useNow();
  return (
    <Text component="span" size="xs" c="dimmed" className="cs-inbox-quorum">
      <IconClockPause size={13} aria-hidden /> {texts.approvals.snooze.until(formatSnooze(until, now))}
    </Text>
  );
}
