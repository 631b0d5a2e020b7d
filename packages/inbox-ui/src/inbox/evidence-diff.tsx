import { Alert, Group, Text } from '@mantine/core';
import { texts } from '../texts/index.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { TextDiff } from '../ui/text-diff.js';
import type { EvidenceChange, EvidenceVersion } from './compare-rounds.js';
import { decodeEvidenceText, type EvidenceSource } from './evidence-source.js';
import { EvidenceDownload } from './evidence-download.js';
import { useEvidence, type LoadedEvidence } from './use-evidence.js';

const t = texts.approvals;

interface EvidenceDiffProps {
  readonly change: EvidenceChange;
  readonly runId: string;
  readonly source: EvidenceSource;
}

/** Shows the differences between an artifact and its version in the previous round. */
export function EvidenceDiff({ change: { name, before, after }, runId, source }: EvidenceDiffProps) {
  if (before === null || after === null) {
    return (
      <Text size="sm">
        {name}: {before === null ? t.absent : t.artifact(name, before.version)} →{' '}
        {after === null ? t.absent : t.artifact(name, after.version)}
      </Text>
    );
  }
  return <VersionDiff name={name} before={before} after={after} runId={runId} source={source} />;
}

interface VersionDiffProps extends Omit<EvidenceDiffProps, 'change'> {
  readonly name: string;
  readonly before: EvidenceVersion;
  readonly after: EvidenceVersion;
}

function VersionDiff({ name, before, after, runId, source }: VersionDiffProps) {
  const previous = useEvidence(source, runId, name, before.version, before.sha256);
  const latest = useEvidence(source, runId, name, after.version, after.sha256);
  if (previous.state === 'failed') return <ProblemNotice error={previous.error} onRetry={() => previous.retry()} />;
  if (latest.state === 'failed') return <ProblemNotice error={latest.error} onRetry={() => latest.retry()} />;
  if (previous.state === 'loading' || latest.state === 'loading') return <Loading />;
  const [beforeLabel, afterLabel] = [t.artifact(name, before.version), t.artifact(name, after.version)];
  if (previous.state === 'wrong' || latest.state === 'wrong') {
    return (
      <Alert color="red" role="alert" mt="xs">
        {t.wrongDigestOf(previous.state === 'wrong' ? beforeLabel : afterLabel)}
      </Alert>
    );
  }
  const [previousText, latestText] = [decodeLoadedText(previous, name), decodeLoadedText(latest, name)];
  return (
    <div>
      <Text size="sm" fw={600} my={4}>
        {t.evidenceDiff(name)}
      </Text>
      {previousText === undefined || latestText === undefined ? (
        <>
          <Text size="sm" c="dimmed">
            {beforeLabel} → {afterLabel}. {t.notCompared}
          </Text>
          <Group gap="xs" mt={4}>
            {[before, after].map(({ version, sha256 }) => (
              <EvidenceDownload
                key={version}
                evidence={{ runId, name, version, sha256 }}
                source={source}
                label={t.downloadOf(t.artifact(name, version))}
              />
            ))}
          </Group>
        </>
      ) : (
        <TextDiff
          before={previousText}
          after={latestText}
          label={t.evidenceDiff(name)}
          path={name}
          beforeLabel={beforeLabel}
          afterLabel={afterLabel}
          maxHeight={320}
        />
      )}
    </div>
  );
}

function decodeLoadedText({ content }: Extract<LoadedEvidence, { state: 'loaded' }>, name: string): string | undefined {
  return content.kind === 'bytes' ? decodeEvidenceText(content, name) : undefined;
}
