import { Alert, Button, Group, Text, Title } from '@mantine/core';
import type { Approval, JsonValue } from '@countersign/contract';
import { IconAlertTriangle, IconMessage } from '@tabler/icons-react';
import { useRef, type ReactNode, type Ref } from 'react';
import { countComments, useDisplayedDiscussion } from '../comments/discussion.js';
import { DiscussionPart } from '../comments/discussion-part.js';
import type { KnownRound } from '../comments/find-last-visit.js';
import { Timestamp } from '../time/timestamp.js';
import { texts } from '../texts/index.js';
import { ApprovalStatusBadge } from '../ui/badges.js';
import { JsonView } from '../ui/json-view.js';
import { ChangesPart } from './changes-part.js';
import { DecisionPart } from './decision-part.js';
import { getSubjectKey } from './decision-requirements.js';
import { describeEffect } from './describe-effect.js';
import { EvidencePart } from './evidence-part.js';
import type { EvidenceSource } from './evidence-source.js';
import { DueDate } from './row-parts.js';
import { toOneLine } from '../ui/to-one-line.js';
import { explainNextRound } from './explain-next-round.js';
import type { SeenEvidenceByKey, SeenEvidence } from './seen-evidence.js';
import { hasSummary } from './describe-request.js';
import { RiskPart } from './risk-part.js';
import { RoundsPart } from './rounds-part.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { ColorBudgetProvider } from '../ui/syntax/color-budget-provider.js';
import { useAfterPaint } from '../ui/use-after-paint.js';
import { useInView } from '../ui/use-in-view.js';

const t = texts.approvals;

interface DecisionViewProps {
  readonly approval: Approval;
  /** Earlier rounds, newest first. */
  readonly earlierRounds: readonly Approval[];
  /** The earlier round with which the approval is compared first. */
  readonly knownRound: KnownRound | undefined;
  /** The next round, if the approval was reopened. */
  readonly successor: Approval | undefined;
  /** Names of the steps that follow an approval, if known. */
  readonly nextSteps: readonly string[];
  /** The workflow diagram with the step highlighted. */
  readonly diagram: ReactNode;
  /** Link to the run. */
  readonly runLink: ReactNode;
  readonly evidence: EvidenceSource;
  readonly seenEvidence: SeenEvidenceByKey;
  /** Key of the displayed piece of evidence. */
  readonly shownEvidenceKey: string | undefined;
  /** Number of key presses that have requested the next piece of evidence. */
  readonly evidenceRequestCount: number;
  onShowEvidence(key: string | undefined): void;
  onEvidenceSeen(key: string, update: Partial<SeenEvidence>): void;
  onOpenApproval(approvalId: string): void;
  /** Heading that takes the focus when the approval is opened. */
  readonly headingRef?: Ref<HTMLHeadingElement>;
  /** Field for a new comment. */
  readonly commentRef?: Ref<HTMLTextAreaElement>;
  /** The decision controls; they stay visible below the content. */
  readonly children: ReactNode;
}

/**
 * Shows all information for a decision in the order in which it is assessed: what is requested and why, its risk and
 * effect, the data, the evidence and other votes, followed by the step in the workflow and the raw data.
 */
export function DecisionView(props: DecisionViewProps) {
  const {
    approval,
    earlierRounds,
    knownRound,
    successor,
    nextSteps,
    diagram,
    runLink,
    evidence,
    seenEvidence,
    shownEvidenceKey,
    evidenceRequestCount,
    onShowEvidence,
    onEvidenceSeen,
    onOpenApproval,
    headingRef,
    commentRef,
    children,
  } = props;
  const { title, description, status, round, requestedBy, requestedAt, dueAt, rationale } = approval;
  const nextRoundNotice = successor === undefined ? undefined : explainNextRound(approval, successor);
  // Renders the approval, its risk and its effect first, so that users who move through the list by keyboard see them
  // immediately. JSON trees take longer.
  const showsDetails = useAfterPaint();
  const discussion = useDisplayedDiscussion();
  const discussionRef = useRef<HTMLDivElement>(null);
  const articleRef = useInView(() => discussion?.markSeen(), discussion?.state === 'loaded');
  const commentCount = countComments(discussion?.threads ?? []);
  const newCommentCount = discussion?.newIds.size ?? 0;
  return (
    <article className="cs-decision" aria-label={t.decision} data-approval={approval.approvalId} ref={articleRef}>
      <div className="cs-decision-body">
        <Group gap="xs" mb={4}>
          <ApprovalStatusBadge status={status} />
          {round > 1 && <Text size="sm">{t.round(round)}</Text>}
          {status === 'pending' && <DueDate dueAt={dueAt} />}
        </Group>
        <Title order={2} size="h3" ref={headingRef} tabIndex={-1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {toOneLine(title, 300)}
        </Title>
        {hasSummary(approval) && (
          <p className="cs-request-summary" dir="auto">
            {escapeInvisible(approval.summary)}
          </p>
        )}
        <Text size="sm" c="dimmed" component="div">
          {t.requestedBy} {toOneLine(requestedBy, 80)} · <Timestamp at={requestedAt} /> · {t.inRun} {runLink}
        </Text>
        {newCommentCount > 0 && (
          <Button
            variant="light"
            size="compact-sm"
            mt={6}
            maw="100%"
            leftSection={<IconMessage size={14} aria-hidden />}
            onClick={() => {
              discussionRef.current?.scrollIntoView({ block: 'start' });
              discussionRef.current?.focus({ preventScroll: true });
            }}
          >
            {texts.comments.newComments(newCommentCount)}
          </Button>
        )}
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
        <DecisionPart title={t.parts.rationale} isCompact>
          {rationale === null ? (
            <Text size="sm" c="dimmed">
              {t.noRationale}
            </Text>
          ) : (
            <pre className="cs-long-text">{escapeInvisible(rationale)}</pre>
          )}
        </DecisionPart>
        <RiskPart approval={approval} />
        <DecisionPart title={t.parts.effect} isCompact>
          <p className="cs-effect">{describeEffect(approval, nextSteps)}</p>
        </DecisionPart>
        {showsDetails && (
          <ColorBudgetProvider>
            <ChangesPart
              approval={approval}
              earlierRounds={earlierRounds}
              knownRound={knownRound}
              evidence={evidence}
              wasSubjectSeen={seenEvidence.get(getSubjectKey(approval))?.isOpened === true}
              onSubjectSeen={() => onEvidenceSeen(getSubjectKey(approval), { viewedShare: 1, isOpened: true })}
            />
            <EvidencePart
              approval={approval}
              source={evidence}
              seenEvidence={seenEvidence}
              shownKey={shownEvidenceKey}
              requestCount={evidenceRequestCount}
              onShow={onShowEvidence}
              onSeen={onEvidenceSeen}
            />
            {discussion !== undefined && (
              <div ref={discussionRef} tabIndex={-1}>
                <DecisionPart title={commentCount === 0 ? texts.comments.part : texts.comments.partWith(commentCount)}>
                  <DiscussionPart {...(commentRef === undefined ? {} : { inputRef: commentRef })} />
                </DecisionPart>
              </div>
            )}
            <RoundsPart approval={approval} earlierRounds={earlierRounds} onOpen={onOpenApproval} />
            {diagram !== undefined && <DecisionPart title={t.step}>{diagram}</DecisionPart>}
            <DecisionPart title={t.parts.raw}>
              <JsonView value={approval as unknown as JsonValue} label={t.rawLabel} depth={0} />
            </DecisionPart>
          </ColorBudgetProvider>
        )}
      </div>
      <div className="cs-decision-foot">{children}</div>
    </article>
  );
}
