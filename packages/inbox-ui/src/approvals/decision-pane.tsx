import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';
import { isNotFound } from '../api/queries.js';
import {
  DecisionActions,
  DecisionForm,
  DecisionView,
  formFor,
  isOnItsWay,
  needsSigningKey,
  canVote,
  oneLine,
  openedKeys,
  shownWith,
  useInboxHost,
  type DecisionDraft,
  type FormAct,
  type FormDraft,
  type PendingVote,
  type SeenByKey,
  type SeenEvidence,
} from '../inbox/index.js';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { AssignDialogs, type Assigning } from './assign-approval.js';
import { evidenceOf } from './evidence-of-client.js';
import { followingSteps } from './following-steps.js';
import { StepInWorkflow } from './step-in-workflow.js';
import { StaleDraftNotice } from './stale-draft-notice.js';
import type { StaleDraft } from './use-forms.js';
import { useApproval, type ShownApproval } from './use-approval.js';

const t = texts.approvals;

interface DecisionPaneProps {
  readonly approvalId: string;
  readonly listed: Approval | undefined;
  readonly entry: PendingVote | undefined;
  readonly form: FormDraft | undefined;
  readonly left: StaleDraft | undefined;
  readonly seen: SeenByKey;
  readonly shownEvidence: string | undefined;
  readonly evidenceAsked: number;
  readonly headingRef: Ref<HTMLHeadingElement>;
  onShown(approval: Approval): void;
  onForm(approval: Approval, form: FormDraft | undefined): void;
  onSend(approval: Approval, draft: DecisionDraft): void;
  onShowEvidence(key: string | undefined): void;
  onEvidenceSeen(key: string, more: Partial<SeenEvidence>): void;
  onOpenApproval(approvalId: string): void;
  /** If omitted, snoozing is not offered. */
  readonly onSnooze?: ((approval: Approval) => void) | undefined;
}

/** Pane with one approval and everything needed to decide it. Opening it has no effect. */
export function DecisionPane(props: DecisionPaneProps) {
  const { approvalId, listed } = props;
  const shown = useApproval(approvalId, listed);
  const { query } = shown;
  if (query.data !== undefined) return <Loaded {...props} approval={query.data} shown={shown} />;
  if (query.isError && isNotFound(query.error)) return <EmptyState title={t.none} hint={t.noneHint} />;
  return query.isError ? <ProblemNotice error={query.error} onRetry={() => void query.refetch()} /> : <Loading />;
}

function Loaded(props: DecisionPaneProps & { readonly approval: Approval; readonly shown: ShownApproval }) {
  const { approval, shown, form, onShown, entry } = props;
  const client = useClient();
  const host = useInboxHost();
  const evidence = useMemo(() => evidenceOf(client), [client]);
  const { workflowId, workflowVersion, elementId, subject } = approval;
  const workflow = useQuery({
    queryKey: keys.workflow(workflowId, workflowVersion),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: workflowVersion }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const bpmnXml = workflow.data?.bpmnXml;
  const follows = useMemo(
    () => (bpmnXml === undefined || subject.kind === 'tool_call' ? [] : followingSteps(bpmnXml, elementId)),
    [bpmnXml, elementId, subject.kind],
  );
  // Before paint, so that a key pressed from then on applies to this approval.
  useLayoutEffect(() => onShown(approval), [onShown, approval]);
  return (
    <DecisionView
      approval={approval}
      earlier={shown.earlier}
      successor={shown.successor}
      follows={follows}
      diagram={bpmnXml === undefined ? undefined : <StepInWorkflow approval={approval} bpmnXml={bpmnXml} />}
      runLink={host.runLink(approval.runId, oneLine(workflowId, 60))}
      evidence={evidence}
      seen={props.seen}
      shownEvidence={props.shownEvidence}
      evidenceAsked={props.evidenceAsked}
      onShowEvidence={props.onShowEvidence}
      onEvidenceSeen={props.onEvidenceSeen}
      onOpenApproval={props.onOpenApproval}
      headingRef={props.headingRef}
    >
      <Deciding key={approval.approvalId} {...props} form={form} entry={entry} />
    </DecisionView>
  );
}

/** Footer of the view: the available actions, or the form of the chosen one. */
function Deciding(props: DecisionPaneProps & { readonly approval: Approval }) {
  const { approval, form, left, entry, seen, onForm, onSend, onSnooze } = props;
  const opened = useMemo(() => openedKeys(seen), [seen]);
  const [assigning, setAssigning] = useState<Assigning>();
  const host = useInboxHost();
  // The approval when the form was opened: if the subject changes, the user must review it first.
  const openedOn = useRef(approval);
  if (form === undefined) openedOn.current = approval;
  const changed = openedOn.current.digest !== approval.digest || openedOn.current.round !== approval.round;
  const ended =
    form !== undefined && !canVote(approval, host) && !(form.act === 'edit' && needsSigningKey(approval, host));
  const act = (to: FormAct): void => onForm(approval, formFor(to, approval, form));
  const actions = (
    <DecisionActions
      approval={approval}
      busy={entry !== undefined && isOnItsWay(entry)}
      onAct={act}
      onDelegate={host.may('approver') ? () => setAssigning('delegate') : undefined}
      onReassign={host.may('admin') ? () => setAssigning('reassign') : undefined}
      onSnooze={onSnooze === undefined ? undefined : () => onSnooze(approval)}
    />
  );
  return (
    <>
      {left !== undefined && <StaleDraftNotice draft={left} />}
      {(form === undefined || host.offline === true) && actions}
      {ended && host.offline !== true && (
        <Stack gap="xs">
          <Text size="sm" role="alert">
            {t.resolved.meanwhile}
          </Text>
          {actions}
        </Stack>
      )}
      {form !== undefined && !ended && changed && (
        <Alert color="yellow" role="alert" title={t.changedTitle}>
          <Group>
            <Text size="sm">{t.changedHint}</Text>
            <Button size="xs" onClick={() => onForm(approval, undefined)}>
              {t.looked}
            </Button>
          </Group>
        </Alert>
      )}
      {form !== undefined && !ended && !changed && (
        <DecisionForm
          approval={approval}
          form={form}
          opened={opened}
          onChange={(next) => onForm(approval, next)}
          onSend={(draft) =>
            onSend(
              approval,
              draft.editedArguments === undefined ? { ...draft, shown: shownWith(approval, seen) } : draft,
            )
          }
          onCancel={() => onForm(approval, undefined)}
        />
      )}
      <AssignDialogs approvalId={approval.approvalId} assigning={assigning} onClose={() => setAssigning(undefined)} />
    </>
  );
}
