import { Button, Group, List, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import type { Approval, BulkDecisionsResult } from '@countersign/contract';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNow } from '../time/use-now.js';
import { askBeforeLeaving } from '../ui/ask-before-leaving.js';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { ConfirmButton } from './confirm-button.js';
import { UNDO_WINDOW_MS, getSecondsLeft } from './pending-votes.js';
import { getEvidenceKey, findUnopenedEvidence, getSubjectKey } from './decision-requirements.js';
import { describeEffect } from './describe-effect.js';
import { hasSummary } from './describe-request.js';
import { RequestLine } from './request-line.js';
import { SeenBadge } from './seen-badge.js';
import { getOpenedKeys, type SeenEvidenceByKey } from './seen-evidence.js';
import { toOneLine } from '../ui/to-one-line.js';

const t = texts.approvals;

type BulkVoteState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'undoable'; readonly sendAt: number }
  | { readonly kind: 'sending' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'done'; readonly result: BulkDecisionsResult };

interface BulkVoteDialogProps {
  /** The approvals as displayed: exactly these are approved. */
  readonly approvals: readonly Approval[];
  /** The evidence that the user had seen when the dialog opened. A retry reports the same. */
  readonly seen: SeenEvidenceByKey;
  /** Sends the votes; the same key means the same votes. */
  onSend(chosen: readonly Approval[], idempotencyKey: string): Promise<BulkDecisionsResult>;
  newIdempotencyKey(): string;
  onClose(): void;
}

/**
 * Dialog that approves several approvals of one kind: shows title and summary of each, waits for the undo window, then
 * reports the result of each.
 */
export function BulkVoteDialog({ approvals, seen, onSend, newIdempotencyKey, onClose }: BulkVoteDialogProps) {
  const [state, setState] = useState<BulkVoteState>({ kind: 'asking' });
  /**
   * Latest state, which may be ahead of the rendered state: an undone vote is not sent, and a sent vote cannot be
   * undone, even if the page renders late.
   */
  const latestState = useRef(state);
  const transitionTo = useRef((next: BulkVoteState): void => {
    latestState.current = next;
    setState(next);
  }).current;
  const [idempotencyKey] = useState(newIdempotencyKey);
  const latestOnSend = useRef(onSend);
  latestOnSend.current = onSend;
  const sendVotes = useRef(() => {
    if (latestState.current.kind !== 'undoable' && latestState.current.kind !== 'failed') return;
    transitionTo({ kind: 'sending' });
    latestOnSend.current(approvals, idempotencyKey).then(
      (result) => transitionTo({ kind: 'done', result }),
      (error: unknown) => transitionTo({ kind: 'failed', error }),
    );
  });
  useEffect(() => {
    if (state.kind !== 'undoable') return undefined;
    const timer = setTimeout(
      () => latestState.current === state && sendVotes.current(),
      Math.max(0, state.sendAt - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [state]);
  const busy = state.kind === 'sending';
  const isInProgress = busy || state.kind === 'undoable';
  useEffect(() => (isInProgress ? askBeforeLeaving() : undefined), [isInProgress]);
  /**
   * Closes the dialog. During the undo window, undoes the votes and shows the list again, so that no vote is dropped
   * silently.
   */
  const close = (): void => {
    const { kind } = latestState.current;
    if (kind === 'undoable') transitionTo({ kind: 'asking' });
    else if (kind !== 'sending') onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={state.kind === 'done' ? t.bulk.results : t.bulk.title(approvals.length)}
      size="lg"
    >
      <Stack>
        {state.kind === 'done' ? (
          <BulkVoteResults chosen={approvals} result={state.result} />
        ) : (
          <>
            <Text size="sm">{t.bulk.hint}</Text>
            <ScrollArea.Autosize mah={360}>
              <List size="sm" spacing="xs">
                {approvals.map((approval) => (
                  <List.Item key={approval.approvalId}>
                    <RequestLine approval={approval} /> {!hasSummary(approval) && describeEffect(approval)}
                    {seen.get(getSubjectKey(approval))?.isOpened !== true && (
                      <Text size="xs" c="dimmed">
                        {t.bulk.subjectNotSeen}
                      </Text>
                    )}
                    <UnopenedEvidence approval={approval} seen={seen} />
                  </List.Item>
                ))}
              </List>
            </ScrollArea.Autosize>
          </>
        )}
        {state.kind === 'failed' && <ProblemNotice error={state.error} onRetry={() => sendVotes.current()} />}
        <Group justify="flex-end">
          {state.kind === 'asking' && (
            <>
              <Button variant="default" onClick={close} data-autofocus>
                {texts.app.cancel}
              </Button>
              <ConfirmButton
                onClick={() =>
                  latestState.current.kind === 'asking' &&
                  transitionTo({ kind: 'undoable', sendAt: Date.now() + UNDO_WINDOW_MS })
                }
              >
                {t.bulk.approve(approvals.length)}
              </ConfirmButton>
            </>
          )}
          {state.kind === 'undoable' && (
            <>
              <SendCountdown at={state.sendAt} />
              <Button variant="light" onClick={close}>
                {texts.pendingVotes.actions.undo}
              </Button>
            </>
          )}
          {busy && <Button loading>{t.sending}</Button>}
          {(state.kind === 'done' || state.kind === 'failed') && <Button onClick={close}>{t.bulk.done}</Button>}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Lists the evidence that the user has not opened. */
function UnopenedEvidence({
  approval: { subject },
  seen,
}: {
  readonly approval: Approval;
  readonly seen: SeenEvidenceByKey;
}) {
  const opened = useMemo(() => getOpenedKeys(seen), [seen]);
  return findUnopenedEvidence(subject, opened).map((each) => (
    <Group key={each.name} gap="xs">
      <span style={{ overflowWrap: 'anywhere' }}>{toOneLine(each.name, 60)}</span>
      <SeenBadge seen={seen.get(getEvidenceKey(each))} />
    </Group>
  ));
}

function SendCountdown({ at }: { readonly at: number }) {
  const now = useNow();
  return <Text size="sm">{t.bulk.undoable(getSecondsLeft(at, now))}</Text>;
}

function BulkVoteResults({
  chosen,
  result: { results },
}: {
  readonly chosen: readonly Approval[];
  readonly result: BulkDecisionsResult;
}) {
  return (
    <List size="sm" spacing="xs" listStyleType="none" aria-live="polite">
      {results.map(({ approvalId, ok, approval, problem }) => (
        <List.Item
          key={approvalId}
          icon={
            ok ? (
              <IconCheck size={16} color="var(--cs-done)" aria-hidden />
            ) : (
              <IconAlertTriangle size={16} color="var(--cs-failed)" aria-hidden />
            )
          }
        >
          <strong>{toOneLine(chosen.find((each) => each.approvalId === approvalId)?.title ?? approvalId)}</strong>{' '}
          {ok
            ? approval?.status === 'approved'
              ? t.bulk.approved
              : t.bulk.counted
            : (problem?.detail ?? problem?.title)}
        </List.Item>
      ))}
    </List>
  );
}
