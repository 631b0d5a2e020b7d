import { useClient } from '@countersign/inbox-ui/api/client-context';
import { RunStatusBadge } from '@countersign/inbox-ui/ui/badges';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Alert, Anchor, Box, Button, Group, List, Modal, Progress, Stack, Text, Textarea } from '@mantine/core';
import { MAX_BULK_RUNS, type BulkRunPlan } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { VirtualList } from '../ui/virtual-list.js';
import { runBulkOperation, type BulkItem, type BulkOperation } from './run-bulk-operation.js';
import type { RunsQuery } from './run-filter.js';

/** Runs to change: the listed ones, or all that match a filter. */
export type BulkTarget = { readonly runIds: readonly string[] } | { readonly filter: RunsQuery };

interface BulkDialogProps {
  readonly operation: BulkOperation;
  readonly target: BulkTarget;
  onClose(done: boolean): void;
}

const { bulk } = texts.runs;

/** Shows the plan of a bulk operation, executes it when the user confirms, and reports the failures. */
export function BulkRunsDialog({ operation, target, onClose }: BulkDialogProps) {
  const client = useClient();
  const [results, setResults] = useState<readonly BulkItem[]>();
  const [total, setTotal] = useState(0);
  const [busy, setBusy] = useState(false);
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => () => controllerRef.current?.abort(), []);
  const plan = useQuery({
    queryKey: ['plan', 'bulk', operation, target],
    queryFn: ({ signal }) => {
      const body = 'runIds' in target ? { runIds: target.runIds.slice(0, MAX_BULK_RUNS) } : { filter: target.filter };
      return operation === 'cancel'
        ? client.bulkCancelRuns({ dryRun: true, body }, { signal })
        : client.bulkRecoverRuns({ dryRun: true, body }, { signal });
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  const startBulkOperation = (runIds: readonly string[], reason: string): void => {
    const controller = new AbortController();
    controllerRef.current = controller;
    setTotal(runIds.length);
    setResults([]);
    setBusy(true);
    void runBulkOperation(client, {
      operation,
      runIds,
      reason,
      signal: controller.signal,
      onProgress: setResults,
    }).finally(() => setBusy(false));
  };
  return (
    <Modal
      opened
      onClose={() => onClose(results !== undefined)}
      title={bulk.title[operation]}
      size="lg"
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={false}
    >
      {results !== undefined ? (
        <BulkResults
          operation={operation}
          results={results}
          total={total}
          busy={busy}
          onStop={() => controllerRef.current?.abort()}
          onClose={() => onClose(true)}
        />
      ) : (
        <>
          {plan.isPending && <Loading />}
          {plan.isError && <ProblemNotice error={plan.error} onRetry={() => void plan.refetch()} />}
          {plan.isSuccess && (
            <BulkPlan
              operation={operation}
              plan={plan.data}
              isTruncated={'runIds' in target && target.runIds.length > MAX_BULK_RUNS}
              onStart={startBulkOperation}
              onClose={() => onClose(false)}
            />
          )}
        </>
      )}
    </Modal>
  );
}

interface BulkPlanProps {
  readonly operation: BulkOperation;
  readonly plan: BulkRunPlan;
  /** Whether more runs were selected than one request allows. */
  readonly isTruncated: boolean;
  onStart(runIds: readonly string[], reason: string): void;
  onClose(): void;
}

function BulkPlan({ operation, plan, isTruncated, onStart, onClose }: BulkPlanProps) {
  const [reason, setReason] = useState('');
  const { affected, runIds, excluded, sample, retry } = plan;
  const withdrawnTexts = (['approvals', 'questions', 'events', 'timers'] as const)
    .filter((kind) => plan.void[kind] > 0)
    .map((kind) => bulk[kind](plan.void[kind]));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onStart(runIds, reason.trim());
      }}
    >
      <Stack gap="sm">
        <Text fw={600}>{affected === 0 ? bulk.none[operation] : bulk.affected[operation](affected)}</Text>
        {withdrawnTexts.length > 0 && <Text size="sm">{bulk.withdrawn(withdrawnTexts.join(', '))}</Text>}
        {retry > 0 && <Text size="sm">{bulk.retry(retry)}</Text>}
        {(plan.truncated || isTruncated) && <Alert color="yellow">{bulk.truncated(MAX_BULK_RUNS)}</Alert>}
        {excluded.length > 0 && (
          <section aria-label={bulk.excludedTitle}>
            <Text size="sm" fw={600}>
              {bulk.excludedTitle}
            </Text>
            <List size="sm">
              {excluded.map(({ code, count }) => (
                <List.Item key={code}>{bulk.excluded[code](count)}</List.Item>
              ))}
            </List>
          </section>
        )}
        {affected > 0 && (
          <>
            <details>
              <Text component="summary" size="sm">
                {bulk.sample}
              </Text>
              <Stack gap={4} mt="xs">
                {sample.map((run) => (
                  <Group key={run.runId} gap="xs" wrap="nowrap">
                    <RunStatusBadge run={run} />
                    <Text size="sm" truncate>
                      {run.workflowId} · {run.businessKey === null ? run.runId : escapeInvisible(run.businessKey)}
                    </Text>
                  </Group>
                ))}
                {affected > sample.length && <Text size="sm">{bulk.sampleMore(affected - sample.length)}</Text>}
              </Stack>
            </details>
            <Textarea
              label={operation === 'cancel' ? bulk.reason : bulk.comment}
              description={bulk.reasonHint}
              required={operation === 'cancel'}
              maxLength={2000}
              autosize
              minRows={2}
              maxRows={6}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              autoFocus
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.app.cancel}
          </Button>
          {affected > 0 && (
            <Button
              type="submit"
              color={operation === 'cancel' ? 'red' : undefined}
              disabled={operation === 'cancel' && reason.trim() === ''}
            >
              {bulk.confirm[operation](affected)}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface BulkResultsProps {
  readonly operation: BulkOperation;
  readonly results: readonly BulkItem[];
  readonly total: number;
  readonly busy: boolean;
  onStop(): void;
  onClose(): void;
}

function BulkResults({ operation, results, total, busy, onStop, onClose }: BulkResultsProps) {
  const failedResults = results.filter(({ ok }) => !ok);
  const succeededCount = results.length - failedResults.length;
  return (
    <Stack gap="sm">
      {busy && (
        <Progress
          value={(100 * results.length) / Math.max(1, total)}
          aria-label={bulk.progress(results.length, total)}
        />
      )}
      <Text role="status">{busy ? bulk.progress(results.length, total) : bulk.done[operation](succeededCount)}</Text>
      {!busy && results.length < total && <Alert color="yellow">{bulk.stopped(total - results.length)}</Alert>}
      {failedResults.length > 0 && (
        <Alert color="red" title={bulk.failed(failedResults.length)}>
          <Box
            mah={240}
            style={{ overflow: 'auto' }}
            tabIndex={0}
            role="group"
            aria-label={bulk.failed(failedResults.length)}
          >
            <VirtualList
              label={bulk.failed(failedResults.length)}
              items={failedResults}
              getKey={({ runId }) => runId}
              estimatedItemHeight={44}
            >
              {({ runId, error }) => (
                <Text size="sm">
                  <Anchor component={Link} to={`/runs/${runId}`} c="inherit" td="underline">
                    {runId}
                  </Anchor>
                  : {error?.detail}
                </Text>
              )}
            </VirtualList>
          </Box>
        </Alert>
      )}
      <Group justify="flex-end">
        {busy ? (
          <Button variant="default" onClick={onStop}>
            {bulk.stop}
          </Button>
        ) : (
          <Button onClick={onClose} autoFocus>
            {bulk.close}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
