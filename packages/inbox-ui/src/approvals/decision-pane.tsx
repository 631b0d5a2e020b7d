import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';
import { isNotFound } from '../api/query-client.js';
import { DiscussionProvider } from '../comments/discussion.js';
import { findKnownRound } from '../comments/find-last-visit.js';
import { useDiscussion } from '../comments/use-discussion.js';
import { useVisitStore } from '../comments/use-visit-store.js';
import {
  DecisionActions,
  DecisionForm,
  DecisionView,
  buildFormDraft,
  canStillCount,
  needsSigningKey,
  canVote,
  toOneLine,
  getOpenedKeys,
  getSubjectKey,
  toShownEvidence,
  useInboxHost,
  type DecisionDraft,
  type FormAction,
  type FormDraft,
  type PendingVote,
  type SeenEvidenceByKey,
  type SeenEvidence,
} from '../inbox/index.js';
import { useEngineSupport } from '../session/use-engine-support.js';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { ApprovalAssignmentDialogs, type AssignmentMode } from './approval-assignment-dialogs.js';
import { createEvidenceSource } from './create-evidence-source.js';
import { findFollowingSteps } from './find-following-steps.js';
import { OtherVoters } from './other-voters.js';
import { StepInWorkflow } from './step-in-workflow.js';
import { StaleDraftNotice } from './stale-draft-notice.js';
import type { StaleDraft } from './use-forms.js';
import { useApproval, type ApprovalWithRounds } from './use-approval.js';

const t = texts.approvals;

interface DecisionPaneProps {
  readonly approvalId: string;
  readonly entry: PendingVote | undefined;
  readonly form: FormDraft | undefined;
  readonly staleDraft: StaleDraft | undefined;
  readonly seenEvidence: SeenEvidenceByKey;
  readonly shownEvidence: string | undefined;
  readonly evidenceRequestCount: number;
  readonly headingRef: Ref<HTMLHeadingElement>;
  readonly commentRef: Ref<HTMLTextAreaElement>;
  /** Whether the form of the decision takes the focus when it appears. */
  readonly formTakesFocus: boolean;
  onDisplayed(approval: Approval): void;
  onFormChange(approval: Approval, form: FormDraft | undefined): void;
  onSend(approval: Approval, draft: DecisionDraft): void;
  onShowEvidence(key: string | undefined): void;
  onEvidenceSeen(key: string, update: Partial<SeenEvidence>): void;
  onOpenApproval(approvalId: string): void;
  /** If omitted, snoozing is not offered. */
  readonly onSnooze?: ((approval: Approval) => void) | undefined;
}

/** Pane with one approval and everything needed to decide it. Opening it has no effect. */
export function DecisionPane(props: DecisionPaneProps) {
  const { approvalId } = props;
  const rounds = useApproval(approvalId);
  const { query } = rounds;
  if (query.data !== undefined) return <LoadedApproval {...props} approval={query.data} rounds={rounds} />;
  if (query.isError && isNotFound(query.error)) return <EmptyState title={t.none} hint={t.noneHint} />;
  return query.isError ? <ProblemNotice error={query.error} onRetry={() => void query.refetch()} /> : <Loading />;
}

function LoadedApproval(
  props: DecisionPaneProps & { readonly approval: Approval; readonly rounds: ApprovalWithRounds },
) {
  const { approval, rounds, form, onDisplayed, entry } = props;
  const client = useClient();
  const host = useInboxHost();
  const evidence = useMemo(() => createEvidenceSource(client), [client]);
  const { approvalId, workflowId, workflowVersion, elementId, subject } = approval;
  const workflow = useQuery({
    queryKey: queryKeys.workflow(workflowId, workflowVersion),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: workflowVersion }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const bpmnXml = workflow.data?.bpmnXml;
  const nextSteps = useMemo(
    () => (bpmnXml === undefined || subject.kind === 'tool_call' ? [] : findFollowingSteps(bpmnXml, elementId)),
    [bpmnXml, elementId, subject.kind],
  );
  // Runs before paint, so that every later key press applies to this approval.
  useLayoutEffect(() => onDisplayed(approval), [onDisplayed, approval]);
  const { discussion, earlierVisits } = useDiscussion({
    approval,
    earlierRounds: rounds.earlierRounds,
    successor: rounds.successor,
    isOffline: host.offline === true,
  });
  const visitStore = useVisitStore();
  const sawSubject = props.seenEvidence.get(getSubjectKey(approval))?.isOpened === true;
  useEffect(() => {
    if (sawSubject) visitStore.record(approvalId, { sawSubject });
  }, [visitStore, approvalId, sawSubject]);
  return (
    <DiscussionProvider value={discussion}>
      <DecisionView
        approval={approval}
        knownRound={findKnownRound(rounds.earlierRounds, earlierVisits)}
        earlierRounds={rounds.earlierRounds}
        successor={rounds.successor}
        nextSteps={nextSteps}
        diagram={bpmnXml === undefined ? undefined : <StepInWorkflow approval={approval} bpmnXml={bpmnXml} />}
        runLink={host.runLink(approval.runId, toOneLine(workflowId, 60))}
        evidence={evidence}
        seenEvidence={props.seenEvidence}
        shownEvidenceKey={props.shownEvidence}
        evidenceRequestCount={props.evidenceRequestCount}
        onShowEvidence={props.onShowEvidence}
        onEvidenceSeen={props.onEvidenceSeen}
        onOpenApproval={props.onOpenApproval}
        headingRef={props.headingRef}
        commentRef={props.commentRef}
      >
        <DecisionFooter key={approval.approvalId} {...props} form={form} entry={entry} nextSteps={nextSteps} />
      </DecisionView>
    </DiscussionProvider>
  );
}

/** Footer of the view: the available actions, or the form of the chosen action. */
function DecisionFooter(
  props: DecisionPaneProps & { readonly approval: Approval; readonly nextSteps: readonly string[] },
) {
  const { approval, nextSteps, form, staleDraft, entry, seenEvidence, onFormChange, onSend, onSnooze } = props;
  const opened = useMemo(() => getOpenedKeys(seenEvidence), [seenEvidence]);
  const [assignMode, setAssignMode] = useState<AssignmentMode>();
  const host = useInboxHost();
  const engine = useEngineSupport();
  // The approval when the form was opened: if the subject changes, the user must review it first.
  const approvalAtOpen = useRef(approval);
  if (form === undefined) approvalAtOpen.current = approval;
  const hasSubjectChanged =
    approvalAtOpen.current.digest !== approval.digest || approvalAtOpen.current.round !== approval.round;
  const isClosed =
    form !== undefined && !canVote(approval, host) && !(form.act === 'edit' && needsSigningKey(approval, host));
  const openForm = (formAction: FormAction): void => onFormChange(approval, buildFormDraft(formAction, approval, form));
  const actions = (
    <DecisionActions
      approval={approval}
      busy={entry !== undefined && canStillCount(entry)}
      onAct={openForm}
      engine={engine}
      otherVoters={<OtherVoters approval={approval} />}
      onDelegate={host.hasRole('approver') ? () => setAssignMode('delegate') : undefined}
      onReassign={host.hasRole('admin') ? () => setAssignMode('reassign') : undefined}
      onSnooze={onSnooze === undefined ? undefined : () => onSnooze(approval)}
    />
  );
  return (
    <>
      {staleDraft !== undefined && <StaleDraftNotice draft={staleDraft} />}
      {(form === undefined || host.offline === true) && actions}
      {isClosed && host.offline !== true && (
        <Stack gap="xs">
          <Text size="sm" role="alert">
            {t.resolved.decidedByOther}
          </Text>
          {actions}
        </Stack>
      )}
      {form !== undefined && !isClosed && hasSubjectChanged && (
        <Alert color="yellow" role="alert" title={t.changedTitle}>
          <Group>
            <Text size="sm">{t.changedHint}</Text>
            <Button size="xs" onClick={() => onFormChange(approval, undefined)}>
              {t.reviewed}
            </Button>
          </Group>
        </Alert>
      )}
      {form !== undefined && !isClosed && !hasSubjectChanged && (
        <DecisionForm
          // A form that takes the focus only now is a new one.
          key={String(props.formTakesFocus)}
          takesFocus={props.formTakesFocus}
          approval={approval}
          nextSteps={nextSteps}
          form={form}
          openedKeys={opened}
          isSubjectSeen={opened.has(getSubjectKey(approval))}
          onChange={(next) => onFormChange(approval, next)}
          onSend={(draft) =>
            onSend(
              approval,
              draft.editedArguments === undefined
                ? { ...draft, shown: toShownEvidence(approval, seenEvidence) }
                : draft,
            )
          }
          onCancel={() => onFormChange(approval, undefined)}
        />
      )}
      <ApprovalAssignmentDialogs approval={approval} mode={assignMode} onClose={() => setAssignMode(undefined)} />
    </>
  );
}
