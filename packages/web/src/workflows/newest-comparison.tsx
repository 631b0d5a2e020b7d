import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts/index.js';
import { Comparison } from './comparison.js';

const t = texts.workflows;

interface NewestComparisonProps {
  readonly workflowId: string;
  /** Newest deployed version. */
  readonly newestVersion: number;
  readonly xml: string;
  readonly fileName: string;
}

/** Compares a file with the newest deployed version. */
export function NewestComparison({ workflowId, newestVersion, xml, fileName }: NewestComparisonProps) {
  const client = useClient();
  const deployedQuery = useQuery({
    queryKey: queryKeys.workflow(workflowId, newestVersion),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: newestVersion }, { signal }),
  });
  if (deployedQuery.isPending) return <Loading />;
  if (deployedQuery.isError)
    return <ProblemNotice error={deployedQuery.error} onRetry={() => void deployedQuery.refetch()} />;
  return (
    <Comparison
      before={{
        xml: deployedQuery.data.bpmnXml,
        title: t.versionTitle(newestVersion),
        label: t.diagramBefore(newestVersion),
      }}
      after={{ xml, title: fileName, label: t.diagramAfter(newestVersion + 1) }}
    />
  );
}
