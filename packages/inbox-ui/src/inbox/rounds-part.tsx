import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react';
import { Timestamp } from '../time/timestamp.js';
import { texts } from '../texts/index.js';
import { ApprovalStatusBadge } from '../ui/badges.js';
import { DecisionPart } from './decision-part.js';
import { useInboxHost } from './inbox-host.js';
import { NotCountedNote } from './not-counted-note.js';
import { ShownEvidenceNote } from './shown-evidence-note.js';
import { SignedMark } from './signed-mark.js';
import { useKeyNames } from './use-key-names.js';
import { describeOutcome, describeMissingVotes } from './decision-status.js';
import { toOneLine } from '../ui/to-one-line.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { AbsentCandidates } from './absent-candidates.js';

const t = texts.approvals;
const ICONS = { approve: IconCheck, reject: IconX, request_changes: IconArrowBackUp } as const;
const COLORS = { approve: 'var(--cs-done)', reject: 'var(--cs-failed)', request_changes: 'var(--cs-waiting)' } as const;

interface RoundsPartProps {
  readonly approval: Approval;
  /** Earlier rounds, newest first. */
  readonly earlierRounds: readonly Approval[];
  onOpen(approvalId: string): void;
}

/** Votes and comments of this round and the earlier ones. */
export function RoundsPart({ approval, earlierRounds, onOpen }: RoundsPartProps) {
  const missing = describeMissingVotes(approval);
  return (
    <DecisionPart title={t.parts.rounds}>
      <Stack gap="sm">
        {missing !== '' && approval.status === 'pending' && <Text size="sm">{missing}</Text>}
        {approval.status !== 'pending' && <Text size="sm">{describeOutcome(approval)}</Text>}
        <AbsentCandidates absences={approval.absences} />
        <Votes approval={approval} />
        {earlierRounds.map((each) => (
          <div key={each.approvalId}>
            <Group gap="xs" mb={4}>
              <Title order={4} size="h6">
                {t.round(each.round)}
              </Title>
              <ApprovalStatusBadge status={each.status} />
              <Button variant="subtle" size="compact-xs" onClick={() => onOpen(each.approvalId)}>
                {t.openRound(each.round)}
              </Button>
            </Group>
            <Votes approval={each} />
          </div>
        ))}
      </Stack>
    </DecisionPart>
  );
}

function Votes({ approval }: { readonly approval: Approval }) {
  const { votes, round, delegations } = approval;
  const names = useKeyNames(approval, useInboxHost().hasRole('approver'));
  if (votes.length === 0 && delegations.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.noVotes}
      </Text>
    );
  }
  return (
    <Stack component="ul" gap={6} p={0} m={0} aria-label={t.votes(round)} style={{ listStyle: 'none' }}>
      {votes.map((vote) => {
        const { voteId, decision, by, byName, inPlaceOf, at, comment } = vote;
        const Icon = ICONS[decision];
        return (
          <li key={voteId}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <Icon size={14} color={COLORS[decision]} aria-hidden style={{ verticalAlign: -2 }} />{' '}
              <strong>{byName ?? by}</strong> {t.voted[decision]}{' '}
              {inPlaceOf !== null && t.inPlaceOf(toOneLine(inPlaceOf, 60))} <Timestamp at={at} />{' '}
              <SignedMark vote={vote} names={names} />
            </Text>
            <NotCountedNote vote={vote} />
            <ShownEvidenceNote vote={vote} />
            {comment !== null && <pre className="cs-long-text cs-comment">{escapeInvisible(comment)}</pre>}
          </li>
        );
      })}
      {/* Delegations during an absence are left out: the vote of the substitute shows them. */}
      {delegations.map(
        ({ from, to, absenceId }, index) =>
          absenceId === null && (
            <Text component="li" size="sm" key={index}>
              {t.delegated(from, to)}
            </Text>
          ),
      )}
    </Stack>
  );
}
