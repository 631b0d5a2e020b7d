import type { RunDetail } from '@countersign/contract';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useSession } from '@countersign/inbox-ui/session/session';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Button, Group, Loader, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../../texts/index.js';
import { EvidenceButton } from '../actions/evidence-button.js';
import { CheckElsewhere } from './check-elsewhere.js';
import { EvidenceCheckView } from './evidence-check-view.js';
import { EvidenceContentsView } from './evidence-contents-view.js';
import { EvidenceVerdict } from './evidence-verdict.js';
import type { LoadedEvidence } from './load-evidence.js';
import './run-evidence.css';

const t = texts.evidence;

/** Packs above this size are only offered for download: the check would block the page for seconds. */
const MAX_CHECKED_BYTES = 20 * 1024 * 1024;

/** Checks the evidence of a run in this browser, and shows the result and what is recorded. */
export function RunEvidence({ run }: { readonly run: RunDetail }) {
  const { runId } = run;
  const { query, receivedBytes } = useEvidence(run);
  const evidence = query.isFetching || query.isError ? undefined : query.data;
  return (
    <div className="cs-run-evidence" role="group" aria-label={t.label} tabIndex={0}>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          aria-disabled={query.isFetching}
          onClick={() => !query.isFetching && void query.refetch()}
        >
          {t.checkAgain}
        </Button>
        {evidence?.kind === 'too_large' && <EvidenceButton runId={runId} isPrimary />}
      </Group>
      {/* Always in the page, so that screen readers announce its changes; the progress would be announced too often. */}
      <div role="status">
        {query.isFetching && <Text size="sm">{t.loading}</Text>}
        {evidence !== undefined && <EvidenceVerdict evidence={evidence} maxBytes={MAX_CHECKED_BYTES} />}
      </div>
      {query.isFetching && (
        <Group gap="sm">
          <Loader size="sm" aria-hidden />
          {receivedBytes > 0 && <Text size="sm">{t.received(receivedBytes)}</Text>}
        </Group>
      )}
      {query.isError && !query.isFetching && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {evidence?.kind === 'checked' && (
        <CheckedEvidence check={evidence.check} contents={evidence.contents} isActive={run.outcome === null} />
      )}
      <CheckElsewhere runId={runId} />
    </div>
  );
}

/**
 * Loads the evidence when the tab opens and when the run ends, and forgets it when the tab closes. The check is a separate
 * chunk.
 */
function useEvidence({ runId, outcome }: RunDetail) {
  const { token } = useSession();
  const [receivedBytes, setReceivedBytes] = useState(0);
  const query = useQuery<LoadedEvidence>({
    queryKey: queryKeys.runEvidence(runId, outcome),
    queryFn: async ({ signal }) => {
      setReceivedBytes(0);
      const { loadEvidence } = await import('./load-evidence.js');
      return loadEvidence(runId, token, { signal, maxBytes: MAX_CHECKED_BYTES, onProgress: setReceivedBytes });
    },
    staleTime: 'static',
    gcTime: 0,
    structuralSharing: false,
  });
  return { query, receivedBytes };
}

interface CheckedEvidenceProps extends Omit<Extract<LoadedEvidence, { kind: 'checked' }>, 'kind'> {
  readonly isActive: boolean;
}

function CheckedEvidence({ check, contents, isActive }: CheckedEvidenceProps) {
  return (
    <>
      {isActive && <Text size="sm">{t.activeRun(contents.eventCount)}</Text>}
      <EvidenceCheckView check={check} contents={contents} />
      {!check.problems.some(({ code }) => code === 'format_unknown') && <EvidenceContentsView contents={contents} />}
    </>
  );
}
