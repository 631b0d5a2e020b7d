import { Alert, Box, Image, Text } from '@mantine/core';
import { type JsonValue, parseExactJson } from '@countersign/contract';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { JsonView } from '../ui/json-view.js';
import { Loading } from '../ui/loading.js';
import { Markdown } from '../ui/markdown.js';
import { PlainOrFormatted } from '../ui/plain-or-formatted.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import {
  evidenceKind,
  decodeEvidenceText,
  type EvidenceContent,
  type EvidenceKind,
  type EvidenceSource,
} from './evidence-source.js';
import { useEvidence } from './use-evidence.js';
import { useExtentInView } from './use-extent-in-view.js';
import { escapeInvisible } from '../ui/escape-invisible.js';

const t = texts.approvals;

interface EvidencePreviewProps {
  readonly runId: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  readonly source: EvidenceSource;
  /** How much of the evidence was in view before: 0 to 1. */
  readonly seen: number;
  /**
   * Incremented by each key press: scrolls to the evidence and focuses it, or, if it has the focus, shows its next
   * part.
   */
  readonly requestCount: number;
  /** Called when more of the content has come into view, but only if the content matches its digest. */
  onSeen(extent: number, enough: boolean): void;
}

/** Content of an artifact, displayed once its digest is verified. */
export function EvidencePreview({
  runId,
  name,
  version,
  sha256,
  source,
  seen,
  requestCount,
  onSeen,
}: EvidencePreviewProps) {
  const loaded = useEvidence(source, runId, name, version, sha256);
  const content = loaded.state === 'loaded' ? loaded.content : undefined;
  const region = useRef<HTMLDivElement>(null);
  const extent = useRef(seen);
  extent.current = seen;
  useEffect(() => {
    if (region.current === null) return;
    if (requestCount > 0) scrollToNextPart(region.current, extent.current);
    else findListItem(region.current).scrollIntoView({ block: 'nearest' });
  }, [requestCount, content]);

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
    <Box ref={region} mt="xs" className="cs-evidence" tabIndex={0} role="region" aria-label={t.artifact(name, version)}>
      <EvidenceContentView content={content} name={name} seen={seen} onSeen={onSeen} />
    </Box>
  );
}

/** Share of the visible part that stays in view, so that readers find their position again. */
const OVERLAP = 0.2;

/**
 * Scrolls to the region and focuses it. If it has the focus, scrolls to its next part, which starts where the seen part
 * ends, so that keys pressed faster than the screen renders skip nothing.
 *
 * @param seen how much was in view: 0 to 1
 */
function scrollToNextPart(region: HTMLElement, seen: number): void {
  if (document.activeElement === region) {
    const content = region.querySelector('.cs-evidence-content')?.getBoundingClientRect();
    const overlap = region.clientHeight * OVERLAP;
    const end =
      content === undefined || seen >= 1
        ? region.clientHeight
        : content.top + seen * content.height - region.getBoundingClientRect().top;
    return region.scrollBy({ top: end - overlap });
  }
  findListItem(region).scrollIntoView({ block: 'start' });
  region.focus({ preventScroll: true });
}

/** Returns the list item, which includes the name and digest. */
function findListItem(region: HTMLElement): HTMLElement {
  return region.closest('li') ?? region;
}

interface EvidenceContentViewProps extends Pick<EvidencePreviewProps, 'name' | 'seen' | 'onSeen'> {
  readonly content: Extract<EvidenceContent, { kind: 'bytes' }>;
}

function EvidenceContentView({ content, name, seen, onSeen }: EvidenceContentViewProps) {
  const { bytes, contentType } = content;
  const kind = evidenceKind(contentType, name);
  if (kind === 'image') {
    return (
      <ViewTracker seen={seen} onSeen={onSeen}>
        <EvidenceImage bytes={bytes} contentType={contentType} name={name} />
      </ViewTracker>
    );
  }
  const text = decodeEvidenceText(content, name);
  if (text === undefined) return <Text size="sm">{kind === 'binary' ? t.binary : t.notText}</Text>;
  // The formatted view leaves things out, so it does not count as seen.
  const plain = (
    <ViewTracker seen={seen} onSeen={onSeen}>
      <pre className="cs-long-text">{text === '' ? t.emptyEvidence : escapeInvisible(text)}</pre>
    </ViewTracker>
  );
  return <PlainOrFormatted plain={plain} formatted={getRenderer(kind, text, name)} />;
}

function ViewTracker({
  seen,
  onSeen,
  children,
}: Pick<EvidencePreviewProps, 'seen' | 'onSeen'> & { readonly children: ReactNode }) {
  return (
    <div ref={useExtentInView(seen, onSeen)} className="cs-evidence-content">
      {children}
    </div>
  );
}

/** Returns a renderer, or `undefined` for content that has only its text. */
function getRenderer(kind: EvidenceKind, text: string, name: string): (() => ReactNode) | undefined {
  if (kind === 'markdown') return () => <Markdown text={text} headingLevel={4} />;
  const value = kind === 'json' ? parseJson(text) : undefined;
  return value === undefined ? undefined : () => <JsonView value={value} label={name} maxHeight={360} />;
}

function EvidenceImage({
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

function parseJson(text: string): JsonValue | undefined {
  try {
    return parseExactJson(text) as JsonValue;
  } catch {
    return undefined;
  }
}
