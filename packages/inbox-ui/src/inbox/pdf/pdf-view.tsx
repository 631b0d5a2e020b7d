import { Alert, Group, List, SegmentedControl, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { texts } from '../../texts/index.js';
import { Loading } from '../../ui/loading.js';
import { openPdf, type OpenedPdf } from './open-pdf.js';
import { countShownPages, getMaxShare, type PdfContents } from './pdf-contents.js';
import { toPdfFailure, type PdfFailureReason } from './pdf-failure.js';
import { fitPage } from './pdf-limits.js';
import { PdfPage } from './pdf-page.js';
import './pdf-view.css';

const ZOOM_LEVELS = [1, 1.5, 2, 4];

interface PdfViewProps {
  /** Bytes of which the digest was verified. */
  readonly bytes: Uint8Array;
  /** Label for screen readers. */
  readonly label: string;
}

/**
 * A PDF as its pages, with their text. What is not displayed is marked (`data-loading`, `data-pending`,
 * `data-max-share`), so that it does not count as seen.
 */
export function PdfView({ bytes, label }: PdfViewProps) {
  const [opened, setOpened] = useState<OpenedPdf | PdfFailureReason>();
  useEffect(() => {
    let isOver = false;
    let pdf: OpenedPdf | undefined;
    setOpened(undefined);
    openPdf(bytes).then(
      (result) => {
        if (isOver) return result.close();
        pdf = result;
        setOpened(result);
      },
      (error: unknown) => {
        if (!isOver) setOpened(toPdfFailure(error).reason);
      },
    );
    return () => {
      isOver = true;
      pdf?.close();
    };
  }, [bytes]);
  if (opened === undefined)
    return (
      <div data-loading="">
        <Loading />
      </div>
    );
  if (typeof opened === 'string')
    return (
      <Alert color="yellow" role="alert" data-loading="">
        {texts.pdf.failure[opened]}
      </Alert>
    );
  return <Pages pdf={opened} label={label} />;
}

function Pages({ pdf, label }: { readonly pdf: OpenedPdf; readonly label: string }) {
  const { contents, pageSizes } = pdf;
  const [zoom, setZoom] = useState(1);
  const { ref, width: availableWidth } = useElementSize();
  const t = texts.pdf;
  const shownCount = countShownPages(contents);
  return (
    <div className="cs-pdf" data-max-share={getMaxShare(contents)} ref={ref}>
      <Group justify="space-between" gap="xs" pb="xs" data-note="">
        <Text size="sm">{t.pages(contents.pageCount)}</Text>
        <SegmentedControl
          size="xs"
          aria-label={t.zoom}
          value={String(zoom)}
          onChange={(value) => setZoom(Number(value))}
          data={ZOOM_LEVELS.map((level) => ({
            value: String(level),
            label: level === 1 ? t.fit : t.enlarged(level * 100),
          }))}
        />
      </Group>
      <Remarks contents={contents} />
      <div className="cs-pdf-pages" data-exceeds-width="" role="group" aria-label={label}>
        {availableWidth > 0 ? (
          pageSizes.map((size, index) =>
            size === undefined ? (
              <Text key={index} size="sm" role="alert" className="cs-pdf-note" data-pending="">
                {t.failedPage(index + 1, false)}
              </Text>
            ) : (
              <PdfPage key={index} pdf={pdf} number={index + 1} size={fitPage(size, availableWidth, zoom)} />
            ),
          )
        ) : (
          <div data-loading="" />
        )}
      </div>
      {shownCount < contents.pageCount && (
        <Text size="sm" className="cs-pdf-note" data-note="">
          {t.omittedPages(shownCount + 1, contents.pageCount)}
        </Text>
      )}
    </div>
  );
}

/** States what the PDF contains but the view does not show. */
function Remarks({ contents }: { readonly contents: PdfContents }) {
  const { pageCount, attachmentCount, hiddenLayerCount, annotationCount, hasScripts, hasDynamicForm } = contents;
  const t = texts.pdf;
  const shownCount = countShownPages(contents);
  const remarks = [
    ...(shownCount < pageCount ? [t.omittedPages(shownCount + 1, pageCount)] : []),
    ...(attachmentCount > 0 ? [t.attachments(attachmentCount)] : []),
    ...(hiddenLayerCount > 0 ? [t.hiddenLayers(hiddenLayerCount)] : []),
    ...(annotationCount > 0 ? [t.annotations(annotationCount)] : []),
    ...(hasDynamicForm ? [t.dynamicForm] : []),
    ...(hasScripts ? [t.scripts] : []),
  ];
  if (remarks.length === 0) return null;
  return (
    <div className="cs-pdf-remarks" data-note="">
      <Alert color="yellow" title={t.notShown}>
        <List size="sm">
          {remarks.map((remark) => (
            <List.Item key={remark}>{remark}</List.Item>
          ))}
        </List>
      </Alert>
    </div>
  );
}
