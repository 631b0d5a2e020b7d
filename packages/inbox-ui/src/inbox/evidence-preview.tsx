import { Alert, Box, Image, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { LineComments } from '../comments/line-comments.js';
import { texts } from '../texts/index.js';
import { isAtEnd } from '../ui/is-at-end.js';
import { Loading } from '../ui/loading.js';
import { PlainOrFormatted } from '../ui/plain-or-formatted.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { CodeText } from '../ui/syntax/code-text.js';
import { getEvidenceKind, decodeEvidenceText, type EvidenceContent, type EvidenceSource } from './evidence-source.js';
import { findFormattedView } from './find-formatted-view.js';
import { PdfEvidence } from './pdf-evidence.js';
import type { EvidenceView, SeenEvidence } from './seen-evidence.js';
import { useEvidence } from './use-evidence.js';
import { useViewedShare } from './use-viewed-share.js';
import { findWindowPosition } from './visible-part.js';

const t = texts.approvals;

interface EvidencePreviewProps {
  readonly runId: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  readonly source: EvidenceSource;
  /** What has been in view so far. */
  readonly seen: SeenEvidence | undefined;
  /**
   * Number of key presses. Each one scrolls to the evidence and focuses it or, if it already has the focus, shows its
   * next part.
   */
  readonly requestCount: number;
  /** Called when more of the content has come into view, but only if the content matches its digest. */
  onSeen(update: Partial<SeenEvidence>): void;
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
  const seenEnd = useRef<number>(undefined);
  useEffect(() => {
    if (region.current === null) return;
    if (requestCount > 0) scrollToNextPart(region.current, seenEnd.current);
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
      <LineComments text={{ evidence: name }}>
        <EvidenceContentView content={content} name={name} seen={seen} seenEnd={seenEnd} onSeen={onSeen} />
      </LineComments>
    </Box>
  );
}

/** Share of the visible part that stays in view, so that users find their position after scrolling. */
const OVERLAP = 0.2;

/**
 * Scrolls to the region and focuses it. If it has the focus, scrolls to its next part, which starts where the seen part
 * ends, so that keys pressed faster than the screen renders skip nothing. From the end, scrolls sideways.
 *
 * @param seenEnd end of what has been in view, in CSS pixels from the top of the content, if this is measured
 */
function scrollToNextPart(region: HTMLElement, seenEnd: number | undefined): void {
  if (document.activeElement === region) {
    const content = region.querySelector<HTMLElement>('.cs-evidence-content');
    const sideRest = region.scrollWidth - region.clientWidth - region.scrollLeft;
    if (isAtEnd(region) && sideRest > 1) return region.scrollBy({ left: region.clientWidth * (1 - OVERLAP) });
    const overlap = region.clientHeight * OVERLAP;
    const end =
      content === null || seenEnd === undefined
        ? region.clientHeight
        : findWindowPosition(content, seenEnd) - region.getBoundingClientRect().top;
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
  readonly seenEnd: RefObject<number | undefined>;
}

function EvidenceContentView({ content, name, seen, seenEnd, onSeen }: EvidenceContentViewProps) {
  const { bytes, contentType } = content;
  const kind = getEvidenceKind(contentType, name);
  const text = useMemo(() => decodeEvidenceText(content, name), [content, name]);
  const formattedView = useMemo(
    () => (text === undefined ? undefined : findFormattedView(kind, text, name)),
    [kind, text, name],
  );
  const track = (view: EvidenceView, children: ReactNode): ReactNode => (
    <ViewTracker key={view} view={view} seen={seen} seenEnd={seenEnd} onSeen={onSeen}>
      {children}
    </ViewTracker>
  );
  if (kind === 'image')
    return track('formatted', <EvidenceImage bytes={bytes} contentType={contentType} name={name} />);
  if (kind === 'pdf') return track('formatted', <PdfEvidence bytes={bytes} label={name} />);
  if (text === undefined) return <Text size="sm">{kind === 'binary' ? t.binary : t.notText}</Text>;
  const plain = track(
    'plain',
    <pre className="cs-long-text">{text === '' ? t.emptyText : <CodeText text={text} path={name} />}</pre>,
  );
  if (formattedView === undefined) return plain;
  const { isComplete, render } = formattedView;
  // A view that omits parts of the content does not count as seen.
  return (
    <PlainOrFormatted
      plain={plain}
      formatted={() => (isComplete ? track('formatted', render()) : render())}
      isFormattedFirst={isComplete}
    />
  );
}

interface ViewTrackerProps extends Pick<EvidenceContentViewProps, 'seen' | 'seenEnd' | 'onSeen'> {
  readonly view: EvidenceView;
  readonly children: ReactNode;
}

/** Measures how much of one view is seen. Each view has its own share, because their heights differ. */
function ViewTracker({ view, seen, seenEnd, onSeen, children }: ViewTrackerProps) {
  const element = useViewedShare(seen?.layouts[view] ?? [], seenEnd, ({ layouts, share, isOpened }) =>
    onSeen({ viewedShare: share, layouts: { [view]: layouts }, isOpened }),
  );
  return (
    <div ref={element} className="cs-evidence-content">
      {children}
    </div>
  );
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
