import { NotCountedNote } from '@countersign/inbox-ui/inbox/not-counted-note';
import { ShownEvidenceNote } from '@countersign/inbox-ui/inbox/shown-evidence-note';
import { SignedMark } from '@countersign/inbox-ui/inbox/signed-mark';
import { useKeyNames } from '@countersign/inbox-ui/inbox/use-key-names';
import { useHasRole } from '@countersign/inbox-ui/session/session';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { toOneLine } from '@countersign/inbox-ui/ui/to-one-line';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Group, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../../texts/index.js';
import { VOTE_MARKS } from './vote-marks.js';

const t = texts.runApprovals;

/** Shows the votes with their comments, and the delegations. */
export function ApprovalVotes({ approval }: { readonly approval: Approval }) {
  const { votes } = approval;
  // Delegations during an absence are omitted: the vote of the substitute names the absent approver.
  const delegations = approval.delegations.filter(({ absenceId }) => absenceId === null);
  const keyNames = useKeyNames(approval, useHasRole('approver'));
  return (
    <Stack gap={6}>
      {votes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noVotes}
        </Text>
      )}
      {votes.length > 0 && (
        <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }} aria-label={t.votes}>
          {votes.map((vote) => {
            const { voteId, decision, by, byName, inPlaceOf, at, comment } = vote;
            const { Icon, color } = VOTE_MARKS[decision];
            return (
              <li key={voteId}>
                <Group gap={6}>
                  <Icon size={15} color={color} aria-hidden />
                  <Text size="sm">
                    <b>{byName ?? by}</b> {t.voted[decision]}{' '}
                    {inPlaceOf !== null && texts.approvals.inPlaceOf(toOneLine(inPlaceOf, 60))}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <Timestamp at={at} />
                  </Text>
                  <SignedMark vote={vote} names={keyNames} />
                </Group>
                <NotCountedNote vote={vote} />
                <ShownEvidenceNote vote={vote} />
                {comment !== null && <p className="cs-comment-text">{escapeInvisible(comment)}</p>}
              </li>
            );
          })}
        </Stack>
      )}
      {delegations.length > 0 && (
        <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }} aria-label={t.delegations}>
          {delegations.map(({ from, to, until }) => (
            <Text component="li" size="sm" key={`${from}-${to}`}>
              {t.delegated(from, to)}
              {until !== null && (
                <>
                  {' '}
                  {t.until} <Timestamp at={until} tense="either" />
                </>
              )}
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
