import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/index.js';

interface PlanDialogProps<P> {
  readonly title: string;
  readonly opened: boolean;
  /** Key of the plan among queries; it is asked for again each time. */
  readonly planKey: readonly unknown[];
  /** Asks the server what it would do (`dryRun`). */
  readonly plan: () => Promise<P>;
  readonly confirmLabel: string;
  /** Red, for what can't be undone. */
  readonly destructive?: boolean;
  /** Whether it can be done; the plan may say that nothing would happen, a form may be incomplete. */
  canConfirm?(plan: P): boolean;
  /** What the plan says, and what else is asked. */
  children(plan: P): ReactNode;
  /** Does it; a rejection is shown, and the dialog stays. */
  onConfirm(plan: P): Promise<unknown>;
  onClose(): void;
}

/** Shows what an act would do before it is done. */
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
    // What somebody has filled in stays while it is asked what that would do.
    placeholderData: (previous) => previous,
  });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const close = (): void => {
    setError(undefined);
    onClose();
  };
  const confirm = (planned: P): void => {
    setBusy(true);
    setError(undefined);
    onConfirm(planned)
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
