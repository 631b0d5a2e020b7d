import { Text } from '@mantine/core';
import { texts } from '../texts/index.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { TextDiff } from '../ui/text-diff.js';
import type { EvidenceChange } from './compare-rounds.js';
import { evidenceKind, type EvidenceSource } from './evidence-source.js';
import { useEvidence, type LoadedEvidence } from './use-evidence.js';

const t = texts.approvals;

interface EvidenceDiffProps {
  readonly change: EvidenceChange;
  readonly runId: string;
  readonly source: EvidenceSource;
}

/** How an artifact differs from the version that the round before was about. */
export function EvidenceDiff({ change: { name, before, after }, runId, source }: EvidenceDiffProps) {
  if (before === null || after === null) {
    return (
      <Text size="sm">
        {name}: {before === null ? t.absent : t.artifact(name, before)} → {after === null ? t.absent : t.artifact(name, after)}
      </Text>
    );
  }
  return <Versions name={name} before={before} after={after} runId={runId} source={source} />;
}

function Versions({ name, before, after, runId, source }: { readonly name: string; readonly before: number; readonly after: number; readonly runId: string; readonly source: EvidenceSource }) {
  const one = useEvidence(source, runId, name, before);
  const other = useEvidence(source, runId, name, after);
  if (one.state === 'failed') return <ProblemNotice error={one.error} onRetry={() => one.retry()} />;
  if (other.state === 'failed') return <ProblemNotice error={other.error} onRetry={() => other.retry()} />;
  if (one.state === 'loading' || other.state === 'loading') return <Loading />;
  const [was, is] = [textOf(one, name), textOf(other, name)];
  return (
    <div>
      <Text size="sm" fw={600} my={4}>
        {t.evidenceDiff(name)}
      </Text>
      {was === undefined || is === undefined ? (
        <Text size="sm" c="dimmed">
          {t.artifact(name, before)} → {t.artifact(name, after)}. {t.binary}
        </Text>
      ) : (
        <TextDiff before={was} after={is} label={t.evidenceDiff(name)} beforeLabel={t.artifact(name, before)} afterLabel={t.artifact(name, after)} maxHeight={320} />
      )}
    </div>
  );
}

function textOf({ content }: Extract<LoadedEvidence, { state: 'loaded' }>, name: string): string | undefined {
  if (content.kind !== 'bytes') return undefined;
  const kind = evidenceKind(content.contentType, name);
  return kind === 'image' || kind === 'binary' ? undefined : new TextDecoder().decode(content.bytes);
}
