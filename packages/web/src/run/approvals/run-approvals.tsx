import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { ApprovalStatusBadge, RiskBadge } from '@countersign/inbox-ui/ui/badges';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import { Button, Group, Text, Title } from '@mantine/core';
import type { Approval, RunDetail } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { Disclosure } from '../../ui/disclosure.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { RiskFactors } from '../step-drawer/policy-panel.js';
import { ApprovalDiscussion } from './approval-discussion.js';
import { ApprovalSubject } from './approval-subject.js';
import { ApprovalVotes } from './approval-votes.js';
import './run-approvals.css';

const t = texts.runApprovals;

/** Lists the approvals of a run with their subjects and votes, newest first. */
export function RunApprovals({ run: { runId } }: { readonly run: RunDetail }) {
  const client = useClient();
  const { items, query, loadMore } = usePages<Approval>(queryKeys.runData(runId, 'approvals'), (cursor, signal) =>
    client.listApprovals({ runId, status: 'all', limit: 20, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  if (query.isPending) return <Loading />;
  if (query.isError && items.length === 0)
    return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return <EmptyState title={t.none} hint={t.noneHint} />;
  return (
    <div className="cs-run-approvals">
      <VirtualList
        label={t.label}
        items={items}
        getKey={({ approvalId }) => approvalId}
        estimatedItemHeight={220}
        gap={12}
        hasMore={query.hasNextPage}
      >
        {(approval) => <ApprovalCard approval={approval} rounds={findRounds(approval, items)} />}
      </VirtualList>
      {query.hasNextPage && (
        <Button variant="default" size="xs" mt="sm" loading={query.isFetchingNextPage} onClick={loadMore}>
          {t.more}
        </Button>
      )}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
    </div>
  );
}

/** The other rounds of an approval. */
interface OtherRounds {
  /** Newest first. */
  readonly earlier: readonly Approval[];
  /** Whether there is a next round, at which the discussion continues. */
  readonly hasNext: boolean;
}

/** @param approvals newest first */
function findRounds({ approvalId, previousApprovalId }: Approval, approvals: readonly Approval[]): OtherRounds {
  const earlier: Approval[] = [];
  let previousId = previousApprovalId;
  for (const each of approvals) {
    if (each.approvalId !== previousId) continue;
    earlier.push(each);
    previousId = each.previousApprovalId;
  }
  return { earlier, hasNext: approvals.some((each) => each.previousApprovalId === approvalId) };
}

function ApprovalCard({ approval, rounds }: { readonly approval: Approval; readonly rounds: OtherRounds }) {
  const {
    approvalId,
    title,
    description,
    status,
    round,
    riskLevel,
    riskFactors,
    rationale,
    canDecide,
    signatureRequired,
  } = approval;
  const canDecideHere = canDecide.allowed && !signatureRequired;
  return (
    <article className="cs-approval-card" aria-label={`${title}, ${t.round(round)}`}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Group gap={8}>
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          <ApprovalStatusBadge status={status} />
          <RiskBadge level={riskLevel} />
        </Group>
        <Button
          component={Link}
          to={`/approvals/${encodeURIComponent(approvalId)}`}
          size="xs"
          variant={canDecideHere ? 'filled' : 'default'}
        >
          {canDecideHere ? t.decide : t.open}
        </Button>
      </Group>
      {description !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {description}
        </Text>
      )}
      <div className="cs-approval-columns">
        <ApprovalFacts approval={approval} />
        <ApprovalVotes approval={approval} />
      </div>
      {rationale !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{t.rationale}:</b> {rationale}
        </Text>
      )}
      {riskFactors.length > 0 && <RiskFactors factors={riskFactors} />}
      {!rounds.hasNext && <ApprovalDiscussion approval={approval} earlierRounds={rounds.earlier} />}
      <Disclosure title={t.subject} defaultOpened={status === 'pending'}>
        {() => <ApprovalSubject approval={approval} />}
      </Disclosure>
    </article>
  );
}

function ApprovalFacts({ approval }: { readonly approval: Approval }) {
  const {
    round,
    requestedAt,
    requestedBy,
    dueAt,
    resolvedAt,
    resolvedBy,
    quorum,
    candidateUsers,
    candidateGroups,
    signatureRequired,
  } = approval;
  const candidates = [...candidateUsers, ...candidateGroups.map(t.group)];
  return (
    <Facts
      facts={[
        [
          t.requested,
          <span key="asked">
            <Timestamp at={requestedAt} /> {t.requestedFor(requestedBy)}, {t.round(round)}
          </span>,
        ],
        [t.due, dueAt === null ? undefined : <Timestamp key="due" at={dueAt} tense="either" />],
        [
          t.resolved,
          resolvedAt === null ? undefined : (
            <span key="resolved">
              <Timestamp at={resolvedAt} /> {resolvedBy === null ? '' : t.by(resolvedBy)}
            </span>
          ),
        ],
        [t.quorum, t.quorumProgress(quorum.approvals, quorum.required)],
        [t.signatures, signatureRequired ? t.signaturesRequired : undefined],
        [t.candidates, candidates.length === 0 ? t.anyApprover : candidates.join(', ')],
      ]}
    />
  );
}
