import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Markdown } from '@countersign/inbox-ui/ui/markdown';
import { MAX_CSV_COLUMNS, MAX_CSV_ROWS, parseCsv } from '@countersign/inbox-ui/ui/parse-csv';
import { parsePatch } from '@countersign/inbox-ui/ui/parse-patch';
import { PatchView } from '@countersign/inbox-ui/ui/patch-view';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { CodeText } from '@countersign/inbox-ui/ui/syntax/code-text';
import { VirtualTable } from '@countersign/inbox-ui/ui/virtual-table';
import { Alert, Text } from '@mantine/core';
import type { Artifact, JsonValue } from '@countersign/contract';
import { useEffect, useMemo, useState } from 'react';
import { texts } from '../../texts/index.js';
import { formatBytes } from './format-bytes.js';
import { MAX_TEXT_BYTES } from './detect-preview.js';
import { useArtifactPreview, type LoadedPreview } from './use-artifact-preview.js';

const t = texts.artifacts;

/** Shows the content of an artifact without rendering HTML or SVG from it and without running its scripts. */
export function ArtifactPreview({ runId, artifact }: { readonly runId: string; readonly artifact: Artifact }) {
  const query = useArtifactPreview(runId, artifact);
  if (query.isPending) return <Loading />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  const { preview, isComplete } = query.data;
  return (
    <div className="cs-artifact-preview">
      {preview.kind !== 'binary' && !isComplete && (
        <Alert color="yellow">{t.truncated(formatBytes(MAX_TEXT_BYTES))}</Alert>
      )}
      {preview.kind === 'source' && (
        <Text size="xs" c="dimmed">
          {t.source}
        </Text>
      )}
      <PreviewContent loadedPreview={query.data} artifact={artifact} />
    </div>
  );
}

function PreviewContent({
  loadedPreview: { preview, bytes, isComplete },
  artifact: { name },
}: {
  readonly loadedPreview: LoadedPreview;
  readonly artifact: Artifact;
}) {
  switch (preview.kind) {
    case 'binary':
      return (
        <Text size="sm" c="dimmed">
          {isComplete ? t.binary : t.tooLarge(formatBytes(MAX_TEXT_BYTES))}
        </Text>
      );
    case 'image':
      return <Picture bytes={bytes} type={preview.type} name={name} />;
    case 'markdown':
      return <Markdown text={preview.text} headingLevel={3} />;
    case 'json':
      return <JsonView value={JSON.parse(preview.text) as JsonValue} label={t.preview(name)} maxHeight={560} />;
    case 'csv':
      return <CsvPreview text={preview.text} name={name} />;
    case 'diff':
      return <PatchPreview text={preview.text} label={t.preview(name)} />;
    case 'text':
    case 'source':
      return (
        <pre className="cs-plain-text">
          <CodeText text={preview.text} path={name} />
        </pre>
      );
  }
}

function PatchPreview({ text, label }: { readonly text: string; readonly label: string }) {
  const files = useMemo(() => parsePatch(text), [text]);
  return <PatchView files={files} label={label} />;
}

/** Shows a raster image, which cannot contain scripts, from a blob of the detected type. */
function Picture({
  bytes,
  type,
  name,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly name: string;
}) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const objectUrl = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [bytes, type]);
  return url === undefined ? null : <img src={url} alt={name} className="cs-artifact-image" />;
}

function CsvCell({ text }: { readonly text: string }) {
  const escapedText = escapeInvisible(text);
  return <span title={escapedText}>{escapedText}</span>;
}

interface CsvRow {
  readonly index: number;
  readonly cells: readonly string[];
}

function CsvPreview({ text, name }: { readonly text: string; readonly name: string }) {
  const { columns, rows, isTruncated, hasOmittedCells } = useMemo(() => parseCsv(text), [text]);
  const [current, setCurrent] = useState(0);
  const items = useMemo<readonly CsvRow[]>(() => rows.slice(1).map((cells, index) => ({ index, cells })), [rows]);
  const tableColumns = useMemo(
    () => [
      { key: 'row', header: t.row, width: '56px', cell: ({ index }: CsvRow) => index + 1 },
      ...Array.from({ length: columns }, (_, column) => ({
        key: String(column),
        header: escapeInvisible(rows[0]?.[column] ?? '') || t.column(column + 1),
        width: 'minmax(110px, 1fr)',
        cell: ({ cells }: CsvRow) => <CsvCell text={cells[column] ?? ''} />,
      })),
    ],
    [columns, rows],
  );
  return (
    <div className="cs-csv">
      <Text size="xs" c="dimmed">
        {isTruncated ? t.truncatedRows(t.rows(MAX_CSV_ROWS)) : t.rows(items.length)}
        {hasOmittedCells && ` ${t.omittedColumns(MAX_CSV_COLUMNS)}`}
      </Text>
      <div className="cs-csv-table" style={{ minWidth: 70 + columns * 130 }}>
        <VirtualTable
          label={t.preview(name)}
          columns={tableColumns}
          items={items}
          getKey={({ index }) => String(index)}
          rowHeight={32}
          current={current}
          onCurrent={setCurrent}
        />
      </div>
    </div>
  );
}
