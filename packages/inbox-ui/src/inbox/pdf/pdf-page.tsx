import { Text } from '@mantine/core';
import { useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { texts } from '../../texts/index.js';
import type { OpenedPdf, ReadableText } from './open-pdf.js';
import { toPdfFailure, type PdfFailureReason } from './pdf-failure.js';
import type { Size } from './pdf-limits.js';

type PageState = 'waiting' | 'complete' | 'incomplete' | PdfFailureReason;

interface PdfPageProps {
  readonly pdf: OpenedPdf;
  /** 1 for the first page. */
  readonly number: number;
  /** Size on the screen, in CSS pixels. */
  readonly size: Size;
}

/**
 * A page of a PDF. It is drawn while it is near the visible part, and has its size before. Until it is drawn completely,
 * it does not count as seen.
 */
export function PdfPage({ pdf, number, size: { width, height } }: PdfPageProps) {
  const page = useRef<HTMLDivElement>(null);
  const drawing = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(page);
  const [state, setState] = useState<PageState>('waiting');
  const [readableText, setReadableText] = useState<ReadableText>('all');
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const { current: holder } = drawing;
    if (!isNear || holder === null) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    pdf.draw(number, { width, height }, signal).then(
      ({ canvas, text, readableText: found, isComplete }) => {
        if (signal.aborted) return;
        canvas.ariaHidden = 'true';
        holder.replaceChildren(canvas, text);
        setReadableText(found);
        setState(isComplete ? 'complete' : 'incomplete');
      },
      (error: unknown) => !signal.aborted && setState(toPdfFailure(error).reason),
    );
    return () => {
      controller.abort();
      holder.replaceChildren();
      setState('waiting');
    };
  }, [pdf, number, width, height, isNear, attempt]);
  useEffect(() => {
    if (state !== 'slow') return undefined;
    // Nothing is drawn in a hidden tab.
    const retry = (): void => {
      if (document.visibilityState === 'visible') setAttempt((count) => count + 1);
    };
    document.addEventListener('visibilitychange', retry);
    return () => document.removeEventListener('visibilitychange', retry);
  }, [state]);
  const t = texts.pdf;
  // The texts of PDF.js are placed in points.
  const pointWidth = (pdf.pageSizes[number - 1]?.width ?? width) * 0.75;
  const style: CSSProperties & Record<`--${string}`, number> = {
    width,
    height,
    '--total-scale-factor': width / pointWidth,
  };
  const isShown = state === 'complete';
  const label = t.page(number, pdf.contents.pageCount);
  const readableLabel = isShown && readableText !== 'all' ? t.readableText[readableText](label) : undefined;
  return (
    <div
      ref={page}
      className="cs-pdf-page"
      role="group"
      aria-label={readableLabel ?? label}
      title={readableLabel}
      aria-busy={state === 'waiting'}
      data-pending={isShown ? undefined : ''}
      style={style}
    >
      <div ref={drawing} />
      {!isShown && state !== 'waiting' && (
        <Text size="sm" role="alert" className="cs-pdf-note">
          {state === 'incomplete' ? t.incompletePage(number) : t.failedPage(number, state === 'slow')}
        </Text>
      )}
    </div>
  );
}

/** Returns whether an element is in or near the visible part of the evidence. */
function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const { current: target } = element;
    if (target === null) return undefined;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), {
      root: target.closest('.cs-evidence'),
      rootMargin: '100% 0px',
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
