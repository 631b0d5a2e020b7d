import { Stack, Text, Title } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { compareRounds } from './compare-rounds.js';
import { DecisionPart } from './decision-part.js';
import { EvidenceDiff } from './evidence-diff.js';
import type { EvidenceSource } from './evidence-source.js';
import { JsonChangesTable } from './json-changes-table.js';
import { SubjectContent } from './subject-content.js';

interface ChangesPartProps {
  readonly approval: Approval;
  /** The previous round, if any. */
  readonly previous: Approval | undefined;
  readonly evidence: EvidenceSource;
  /** Whether the whole subject was in view earlier. */
  readonly wasSubjectSeen: boolean;
  /** Called when the whole subject has been in view. */
  onSubjectSeen(): void;
}

const t = texts.approvals;

/** Shows the content to approve, after its changes since the previous round. */
export function ChangesPart({ approval, previous, evidence, wasSubjectSeen, onSubjectSeen }: ChangesPartProps) {
  return (
    <DecisionPart title={t.parts.changes}>
      <Stack gap="md">
        {previous !== undefined && <ChangesSincePrevious previous={previous} approval={approval} evidence={evidence} />}
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

function ChangesSincePrevious({
  previous,
  approval,
  evidence,
}: {
  readonly previous: Approval;
  readonly approval: Approval;
  readonly evidence: EvidenceSource;
}) {
  const { inputs, evidence: artifacts } = compareRounds(previous, approval);
  const isUnchanged = inputs.changes.length === 0 && artifacts.length === 0;
  return (
    <div>
      <Title order={4} size="h6" mb={4}>
        {t.sinceRound(previous.round)}
      </Title>
      {isUnchanged && (
        <Text size="sm" c="dimmed">
          {t.notDifferent}
        </Text>
      )}
      {inputs.changes.length > 0 && <JsonChangesTable {...inputs} />}
      {artifacts.map((each) => (
        <EvidenceDiff key={each.name} change={each} runId={approval.runId} source={evidence} />
      ))}
    </div>
  );
}
