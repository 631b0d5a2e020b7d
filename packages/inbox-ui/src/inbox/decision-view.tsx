import { Alert, Button, Group, Text, Title } from '@mantine/core';
import type { Approval, JsonValue } from '@countersign/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { Timestamp } from '../time/timestamp.js';
import { texts } from '../texts/index.js';
import { ApprovalStatusBadge } from '../ui/badges.js';
import { JsonView } from '../ui/json-view.js';
import { ChangesPart } from './changes-part.js';
import { DecisionPart } from './decision-part.js';
import { describeEffect } from './describe-effect.js';
import { EvidencePart } from './evidence-part.js';
import type { EvidenceSource } from './evidence-source.js';
import { Due } from './inbox-row.js';
import { oneLine } from '../ui/one-line.js';
import { explainNextRound } from './explain-next-round.js';
import type { SeenEvidenceByKey, SeenEvidence } from './seen-evidence.js';
import { RiskPart } from './risk-part.js';
import { RoundsPart } from './rounds-part.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { useAfterPaint } from '../ui/use-after-paint.js';

const t = texts.approvals;

interface DecisionViewProps {
  readonly approval: Approval;
  /** Earlier rounds, newest first. */
  readonly earlier: readonly Approval[];
  /** The next round, if the approval was reopened. */
  readonly successor: Approval | undefined;
  /** Names of the steps that follow an approval, if known. */
  readonly nextSteps: readonly string[];
  /** The workflow diagram with the step highlighted. */
  readonly diagram: ReactNode;
  /** Link to the run. */
  readonly runLink: ReactNode;
  readonly evidence: EvidenceSource;
  readonly seen: SeenEvidenceByKey;
  readonly shownEvidence: string | undefined;
  /** How often a key has requested the next piece of evidence. */
  readonly evidenceRequestCount: number;
  onShowEvidence(key: string | undefined): void;
  onEvidenceSeen(key: string, more: Partial<SeenEvidence>): void;
  onOpenApproval(approvalId: string): void;
  /** Heading that takes the focus when the approval is opened. */
  readonly headingRef?: Ref<HTMLHeadingElement>;
  /** The decision controls; they stay visible below the content. */
  readonly children: ReactNode;
}

/**
 * Shows everything needed for a decision, in the order of assessment: risk, effect, data, why approval is required,
 * evidence, other votes; then the raw data.
 */
export function DecisionView(props: DecisionViewProps) {
  const {
    approval,
    earlier,
    successor,
    nextSteps,
    diagram,
    runLink,
    evidence,
    seen,
    shownEvidence,
    evidenceRequestCount,
    onShowEvidence,
    onEvidenceSeen,
    onOpenApproval,
    headingRef,
    children,
  } = props;
  const { title, description, status, round, requestedBy, requestedAt, dueAt, rationale } = approval;
  const nextRoundNotice = successor === undefined ? undefined : explainNextRound(approval, successor);
  // Users who go through the list by keys see the approval, its risk and its effect immediately. JSON trees take longer
  // to render.
  const showsDetails = useAfterPaint();
  return (
    <article className="cs-decision" aria-label={t.decision} data-approval={approval.approvalId}>
      <div className="cs-decision-body">
        <Group gap="xs" mb={4}>
          <ApprovalStatusBadge status={status} />
          {round > 1 && <Text size="sm">{t.round(round)}</Text>}
          {status === 'pending' && <Due dueAt={dueAt} />}
        </Group>
        <Title order={2} size="h3" ref={headingRef} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
          {oneLine(title, 300)}
        </Title>
        <Text size="sm" c="dimmed" component="div">
          {t.asked} {oneLine(requestedBy, 80)} · <Timestamp at={requestedAt} /> · {t.inRun} {runLink}
        </Text>
        {description !== null && <pre className="cs-long-text cs-comment">{escapeInvisible(description)}</pre>}
        {successor !== undefined && (
          <Alert
            color="yellow"
            role="alert"
            mt="md"
            icon={<IconAlertTriangle aria-hidden />}
            title={nextRoundNotice?.title}
          >
            <Text size="sm" mb="xs">
              {nextRoundNotice?.text}
            </Text>
            <Button size="xs" onClick={() => onOpenApproval(successor.approvalId)}>
              {t.openRound(successor.round)}
            </Button>
          </Alert>
        )}
        <RiskPart approval={approval} />
        <DecisionPart title={t.parts.effect}>
          <p className="cs-effect">{describeEffect(approval, nextSteps)}</p>
        </DecisionPart>
        {showsDetails && (
          <>
            <ChangesPart approval={approval} previous={earlier[0]} evidence={evidence} diagram={diagram} />
            <DecisionPart title={t.parts.rationale}>
              {rationale === null ? (
                <Text size="sm" c="dimmed">
                  {t.noRationale}
                </Text>
              ) : (
                <pre className="cs-long-text">{escapeInvisible(rationale)}</pre>
              )}
            </DecisionPart>
            <EvidencePart
              approval={approval}
              source={evidence}
              seen={seen}
              shown={shownEvidence}
              requestCount={evidenceRequestCount}
              onShow={onShowEvidence}
              onSeen={onEvidenceSeen}
            />
            <RoundsPart approval={approval} earlier={earlier} onOpen={onOpenApproval} />
            <DecisionPart title={t.parts.raw}>
              <JsonView value={approval as unknown as JsonValue} label={t.rawLabel} depth={0} />
            </DecisionPart>
          </>
        )}
      </div>
      <div className="cs-decision-foot">{children}</div>
    </article>
  );
}
