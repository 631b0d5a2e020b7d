import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

interface PlanDialogProps<P> {
  readonly title: string;
  readonly opened: boolean;
  /** Query key of the plan. The plan is requested again each time the dialog opens. */
  readonly planKey: readonly unknown[];
  /** Requests the plan from the server (`dryRun`). */
  readonly plan: () => Promise<P>;
  readonly confirmLabel: string;
  /** Whether the button is red because the action cannot be undone. */
  readonly destructive?: boolean;
  /** Returns whether the action is possible; a plan may have no effect, and a form may be incomplete. */
  canConfirm?(plan: P): boolean;
  /** Renders the plan and further inputs. */
  children(plan: P): ReactNode;
  /** Executes the action; a rejection is shown and the dialog stays open. */
  onConfirm(plan: P): Promise<unknown>;
  onClose(): void;
}

/** Shows the effect of an action before it is executed. */
export function PlanDialog<P>({
  title,
  opened,
  planKey,
  plan,
  confirmLabel,
  destructive = false,
  canConfirm,
  children,
  onConfirm,
  onClose,
}: PlanDialogProps<P>) {
  const query = useQuery({
    queryKey: ['plan', ...planKey],
    queryFn: plan,
    enabled: opened,
    staleTime: 0,
    gcTime: 0,
    // Entered values stay while the plan is reloaded.
    placeholderData: (previous) => previous,
  });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const close = (): void => {
    setError(undefined);
    onClose();
  };
  const confirm = (confirmedPlan: P): void => {
    setBusy(true);
    setError(undefined);
    onConfirm(confirmedPlan)
      .then(close, setError)
      .finally(() => setBusy(false));
  };
  return (
    <Modal opened={opened} onClose={close} title={title} size="lg">
      {query.isPending && <Loading />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && (
        <Stack>
          {children(query.data)}
          {error !== undefined && <ProblemNotice error={error} />}
          {busy && <Alert color="blue">{texts.app.working}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {texts.app.cancel}
            </Button>
            <Button
              color={destructive ? 'red' : undefined}
              loading={busy}
              disabled={query.isFetching || canConfirm?.(query.data) === false}
              onClick={() => confirm(query.data)}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
