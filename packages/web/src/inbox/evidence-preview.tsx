import { Alert, Box, Image, Text } from '@mantine/core';
import type { JsonValue } from '@countersign/contract';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { JsonView } from '../ui/json-view.js';
import { Loading } from '../ui/loading.js';
import { Markdown } from '../ui/markdown.js';
import { PlainOrFormatted } from '../ui/plain-or-formatted.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import {
  evidenceKind,
  textOfEvidence,
  type EvidenceContent,
  type EvidenceKind,
  type EvidenceSource,
} from './evidence-source.js';
import { useEvidence } from './use-evidence.js';
import { revealed } from '../ui/revealed.js';

const t = texts.approvals;

interface EvidencePreviewProps {
  readonly runId: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  readonly source: EvidenceSource;
  /** Its content is on the screen, and it is what is being approved. */
  onSeen(): void;
}

/** The content of an artifact, once it is known to be the one that is being approved. */
export function EvidencePreview({ runId, name, version, sha256, source, onSeen }: EvidencePreviewProps) {
  const loaded = useEvidence(source, runId, name, version, sha256);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  const content = loaded.state === 'loaded' ? loaded.content : undefined;
  useEffect(() => {
    if (
      content?.kind === 'bytes' &&
      (evidenceKind(content.contentType, name) === 'image' || textOfEvidence(content, name) !== undefined)
    )
      seen.current();
  }, [content, name]);

  if (loaded.state === 'failed') return <ProblemNotice error={loaded.error} onRetry={() => loaded.retry()} />;
  if (loaded.state === 'wrong') {
    return (
      <Alert color="red" role="alert" mt="xs">
        {t.wrongDigest}
      </Alert>
    );
  }
  if (content?.kind === 'too-large') return <Text size="sm">{t.tooLarge}</Text>;
  if (content === undefined) return <Loading />;
  return (
    <Box mt="xs" className="cs-evidence" tabIndex={0} role="region" aria-label={t.artifact(name, version)}>
      <Shown content={content} name={name} />
    </Box>
  );
}

function Shown({
  content,
  name,
}: {
  readonly content: Extract<EvidenceContent, { kind: 'bytes' }>;
  readonly name: string;
}) {
  const { bytes, contentType } = content;
  const kind = evidenceKind(contentType, name);
  if (kind === 'image') return <Picture bytes={bytes} contentType={contentType} name={name} />;
  const text = textOfEvidence(content, name);
  if (text === undefined) return <Text size="sm">{kind === 'binary' ? t.binary : t.notText}</Text>;
  return (
    <PlainOrFormatted
      plain={<pre className="cs-long-text">{revealed(text)}</pre>}
      formatted={formattedAs(kind, text, name)}
    />
  );
}

/** Left out for what has no other look than its text. */
function formattedAs(kind: EvidenceKind, text: string, name: string): (() => ReactNode) | undefined {
  if (kind === 'markdown') return () => <Markdown text={text} headingLevel={4} />;
  const value = kind === 'json' ? parsed(text) : undefined;
  return value === undefined ? undefined : () => <JsonView value={value} label={name} maxHeight={360} />;
}

function Picture({
  bytes,
  contentType,
  name,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly name: string;
}) {
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type: contentType })), [bytes, contentType]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <Image src={url} alt={name} fit="contain" mah={420} w="auto" />;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
