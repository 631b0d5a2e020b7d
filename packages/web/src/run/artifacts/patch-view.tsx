import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Text, VisuallyHidden } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { texts } from '../../texts/index.js';
import { classifyPatchLines } from './classify-patch-lines.js';
import '@countersign/inbox-ui/ui/text-diff.css';

const MAX_LINES = 20_000;

/** Shows a patch literally and marks added and removed lines by sign and colour. */
export function PatchView({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = useMemo(() => text.split('\n', MAX_LINES + 1), [text]);
  const lineKinds = useMemo(() => classifyPatchLines(lines), [lines]);
  const shownLineCount = Math.min(lines.length, MAX_LINES);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: shownLineCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 20,
  });
  return (
    <div className="cs-diff">
      {lines.length > MAX_LINES && (
        <Text size="xs" p={6}>
          {texts.artifacts.truncatedRows(texts.artifacts.lines(MAX_LINES))}
        </Text>
      )}
      <div
        className="cs-diff-scroll"
        ref={scroller}
        style={{ maxHeight: 560 }}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <div className="cs-diff-lines" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index] ?? '';
            const kind = lineKinds[index] ?? 'same';
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="cs-diff-line"
                style={{ transform: `translateY(${start}px)` }}
              >
                <div className={`cs-diff-side cs-diff-${kind}`}>
                  <span className="cs-diff-number" aria-hidden>
                    {index + 1}
                  </span>
                  <span className="cs-diff-text">
                    {(kind === 'added' || kind === 'removed') && (
                      <VisuallyHidden>{`${texts.ui.diff[kind]}: `}</VisuallyHidden>
                    )}
                    {line === '' ? ' ' : escapeInvisible(line.replace(/\r$/, ''))}
                  </span>
                </div>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
