import type { Artifact, RunDetail } from '@countersign/contract';
import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useHasRole } from '@countersign/inbox-ui/session/session';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { useMemo, useState } from 'react';
import { texts } from '../../texts/index.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { ArtifactPane } from './artifact-pane.js';
import { formatBytes } from './format-bytes.js';
import { UploadArea } from './upload-area.js';
import './run-artifacts.css';

const t = texts.artifacts;

/** Lists all versions of the artifacts of a run and shows the selected one. */
export function RunArtifacts({ run: { runId } }: { readonly run: RunDetail }) {
  const mayUpload = useHasRole('operator');
  const list = <ArtifactList runId={runId} />;
  return <div className="cs-artifacts">{mayUpload ? <UploadArea runId={runId}>{list}</UploadArea> : list}</div>;
}

function ArtifactList({ runId }: { readonly runId: string }) {
  const client = useClient();
  const url = useUrlState();
  const { items, query, loadMore } = usePages<Artifact>(queryKeys.runData(runId, 'artifacts'), (cursor, signal) =>
    client.listArtifacts({ runId, limit: 100, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  const [current, setCurrent] = useState(0);
  const name = url.get('artifact');
  const versions = useMemo(() => items.filter((each) => each.name === name), [items, name]);
  const selectedArtifact = versions.find(({ version }) => String(version) === url.get('version')) ?? versions[0];
  if (query.isPending) return <Loading />;
  if (query.isError && items.length === 0)
    return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return <EmptyState title={t.none} hint={t.noneHint} />;
  return (
    <div className="cs-artifacts-body">
      <VirtualTable
        label={t.label}
        columns={COLUMNS}
        items={items}
        getKey={({ artifactId }) => artifactId}
        rowHeight={38}
        hasMore={query.hasNextPage}
        loadingMore={query.isFetchingNextPage}
        onLoadMore={loadMore}
        current={current}
        onCurrent={setCurrent}
        onOpen={(artifact) => url.set({ artifact: artifact.name, version: String(artifact.version) })}
        isSelected={({ artifactId }) => artifactId === selectedArtifact?.artifactId}
      />
      {selectedArtifact !== undefined && (
        <ArtifactPane
          key={selectedArtifact.artifactId}
          runId={runId}
          artifact={selectedArtifact}
          versions={versions}
          onVersionChange={(version) => url.set({ version: String(version) })}
          onClose={() => url.set({ artifact: undefined, version: undefined })}
        />
      )}
    </div>
  );
}

const COLUMNS: readonly Column<Artifact>[] = [
  { key: 'name', header: t.name, width: 'minmax(140px, 2fr)', cell: ({ name }) => <span title={name}>{name}</span> },
  { key: 'version', header: t.version, width: '52px', cell: ({ version }) => version },
  { key: 'size', header: t.size, width: '72px', cell: ({ size }) => formatBytes(size) },
  {
    key: 'created',
    header: t.created,
    width: 'minmax(88px, 1fr)',
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
];
