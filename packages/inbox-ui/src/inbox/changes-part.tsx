import { Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useState } from 'react';
import type { KnownRound } from '../comments/find-last-visit.js';
import { texts } from '../texts/index.js';
import { compareRounds } from './compare-rounds.js';
import { DecisionPart } from './decision-part.js';
import { EvidenceDiff } from './evidence-diff.js';
import type { EvidenceSource } from './evidence-source.js';
import { JsonChangesTable } from './json-changes-table.js';
import { SubjectContent } from './subject-content.js';

interface ChangesPartProps {
  readonly approval: Approval;
  /** Newest first. */
  readonly earlierRounds: readonly Approval[];
  /** The earlier round with which the approval is compared first. */
  readonly knownRound: KnownRound | undefined;
  readonly evidence: EvidenceSource;
  /** Whether the whole subject was in view earlier. */
  readonly wasSubjectSeen: boolean;
  /** Called when the whole subject has been in view. */
  onSubjectSeen(): void;
}

const t = texts.approvals;

/** Shows the content to approve, after its changes since an earlier round. */
export function ChangesPart(props: ChangesPartProps) {
  const { approval, earlierRounds, knownRound, evidence, wasSubjectSeen, onSubjectSeen } = props;
  return (
    <DecisionPart title={t.parts.changes}>
      <Stack gap="md">
        {knownRound !== undefined && (
          <ChangesSinceRound
            key={approval.approvalId}
            approval={approval}
            earlierRounds={earlierRounds}
            knownRound={knownRound}
            evidence={evidence}
          />
        )}
        <SubjectContent
          key={approval.digest}
          subject={approval.subject}
          wasSeen={wasSubjectSeen}
          onSeen={onSubjectSeen}
        />
      </Stack>
    </DecisionPart>
  );
}

interface ChangesSinceRoundProps extends Pick<ChangesPartProps, 'approval' | 'earlierRounds' | 'evidence'> {
  readonly knownRound: KnownRound;
}

/** The changes since the round that the user knows, or since another earlier round that they choose. */
function ChangesSinceRound({ approval, earlierRounds, knownRound, evidence }: ChangesSinceRoundProps) {
  const [chosenId, setChosenId] = useState<string>();
  const chosen = earlierRounds.find(({ approvalId }) => approvalId === chosenId) ?? knownRound.round;
  const { inputs, evidence: artifacts } = compareRounds(chosen, approval);
  const isUnchanged = inputs.changes.length === 0 && artifacts.length === 0;
  const describeRound = ({ approvalId, round }: Approval): string =>
    knownRound.wasSeen && approvalId === knownRound.round.approvalId ? t.lastVisit(round) : t.round(round);
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Title order={4} size="h6">
          {chosen === knownRound.round && knownRound.wasSeen
            ? t.sinceLastVisit(chosen.round)
            : t.sinceRound(chosen.round)}
        </Title>
        {earlierRounds.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t.compareWith}
            value={chosen.approvalId}
            onChange={(event) => setChosenId(event.currentTarget.value)}
            data={earlierRounds.map((each) => ({ value: each.approvalId, label: describeRound(each) }))}
          />
        )}
      </Group>
      {isUnchanged && (
        <Text size="sm" c="dimmed">
          {t.notDifferent}
        </Text>
      )}
      {inputs.changes.length > 0 && <JsonChangesTable {...inputs} />}
      {artifacts.map((each) => (
        <EvidenceDiff
          key={`${chosen.approvalId} ${each.name}`}
          change={each}
          runId={approval.runId}
          source={evidence}
        />
      ))}
    </div>
  );
}
