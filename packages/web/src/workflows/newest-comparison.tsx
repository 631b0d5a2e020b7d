import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts/index.js';
import { Comparison } from './comparison.js';

const { workflows: t } = texts;

interface NewestComparisonProps {
  readonly workflowId: string;
  /** Version that is deployed now. */
  readonly newest: number;
  readonly xml: string;
  readonly fileName: string;
}

/** Compares a file with the deployed version. */
export function NewestComparison({ workflowId, newest, xml, fileName }: NewestComparisonProps) {
  const client = useClient();
  const deployed = useQuery({
    queryKey: keys.workflow(workflowId, newest),
    queryFn: ({ signal }) => client.getWorkflow({ workflowId, version: newest }, { signal }),
  });
  if (deployed.isPending) return <Loading />;
  if (deployed.isError) return <ProblemNotice error={deployed.error} onRetry={() => void deployed.refetch()} />;
  return (
    <Comparison
      before={{ xml: deployed.data.bpmnXml, title: t.versionTitle(newest), label: t.diagramBefore(newest) }}
      after={{ xml, title: fileName, label: t.diagramAfter(newest + 1) }}
    />
  );
}
