import { Box, Button, Group } from '@mantine/core';
import type { JsonValue } from '@countersign/contract';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { texts } from '../texts/index.js';
import { CopyButton } from './copy-button.js';
import { copyText } from './copy-text.js';
import { isAtEnd } from './is-at-end.js';
import { isStringCut, JsonLine } from './json-line.js';
import { JSON_CHUNK, buildJsonRows, findPathsToDepth, type JsonRow } from './json-rows.js';
import './json-view.css';

/** Maximum number of lines that are displayed at their full height. */
const MAX_UNSCROLLED_LINES = 500;

interface JsonViewProps {
  readonly value: JsonValue;
  /** Label for screen readers. */
  readonly label: string;
  /** Number of levels that are expanded initially. */
  readonly depth?: number;
  /** In px; longer content scrolls. */
  readonly maxHeight?: number;
  /** Whether all levels are expanded initially, at full height unless there are very many lines. */
  readonly isWhole?: boolean;
  /** Labels of the highlighted lines, for example `changed`, by RFC 6901 pointer. */
  readonly marked?: ReadonlyMap<string, string>;
}

/**
 * Any JSON value as a tree (ARIA tree pattern: arrows, Home, End, Enter; Mod+C copies the focused value). Only the
 * visible lines are in the document. Strings are always rendered as plain text.
 */
export function JsonView({
  value,
  label,
  isWhole = false,
  depth = isWhole ? Number.POSITIVE_INFINITY : 2,
  maxHeight = 420,
  marked,
}: JsonViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlySet<string>>();
  const [visibleCounts, setVisibleCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const [expandedStrings, setExpandedStrings] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState(0);
  const [hasReachedEnd, setHasReachedEnd] = useState(false);
  const initialExpanded = useMemo(() => findPathsToDepth(value, depth), [value, depth]);
  const expanded = toggled ?? initialExpanded;
  const rows = useMemo(() => buildJsonRows(value, { expanded, visibleCounts }), [value, expanded, visibleCounts]);
  const currentIndex = Math.min(current, rows.length - 1);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 16,
    getItemKey: (index) => rows[index]?.path ?? index,
    // The focusable line is always rendered; otherwise, keyboard users could not return to the tree.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), currentIndex])],
  });

  const focus = (index: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setCurrent(to);
    lines.scrollToIndex(to);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
  };
  const showMore = (row: JsonRow): void => {
    const path = row.path.slice(0, -2);
    const index = rows.indexOf(row);
    setCurrent(index);
    // Synchronous, because the focused line moves far down and is removed from the document. The line at its previous
    // index must then receive the focus.
    flushSync(() => setVisibleCounts((map) => new Map(map).set(path, (map.get(path) ?? JSON_CHUNK) * 2)));
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };
  const open = (row: JsonRow, isExpanded = !row.expanded): void => {
    if (row.hiddenCount !== undefined) showMore(row);
    else if (row.size === undefined) setExpandedStrings((paths) => toggle(paths, row.path, !paths.has(row.path)));
    else setToggled(toggle(expanded, row.path, isExpanded));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[currentIndex];
    if (row === undefined || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      // If the user has selected text, the browser copies that.
      if (event.key === 'c' && window.getSelection()?.isCollapsed !== false)
        void copyText(toText(row.value)).catch(() => undefined);
      return;
    }
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: currentIndex + 1,
      ArrowUp: currentIndex - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: currentIndex + 15,
      PageUp: currentIndex - 15,
    };
    const to = moves[event.key];
    if (to !== undefined) focus(to);
    else if (event.key === 'Enter' || event.key === ' ') open(row);
    else if (event.key === 'ArrowRight' && row.expanded) focus(currentIndex + 1);
    else if (event.key === 'ArrowRight' && row.size !== undefined) open(row, true);
    else if (event.key === 'ArrowLeft' && row.expanded) open(row, false);
    else if (event.key === 'ArrowLeft') focus(findParentIndex(rows, currentIndex));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const isUnscrolled = isWhole && rows.length <= MAX_UNSCROLLED_LINES;
  const isPartlyHidden =
    isWhole && ((!isUnscrolled && !hasReachedEnd) || rows.some((row) => hidesContent(row, expandedStrings)));
  return (
    <Box className="cs-json">
      <Group className="cs-json-tools" gap={2} justify="flex-end">
        {(rows[0]?.size ?? 0) > 0 && (
          <>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              onClick={() => setToggled(findPathsToDepth(value, Number.POSITIVE_INFINITY))}
            >
              {texts.ui.json.expandAll}
            </Button>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setToggled(new Set(['']))}>
              {texts.ui.json.collapseAll}
            </Button>
          </>
        )}
        <CopyButton text={() => toText(value)} />
      </Group>
      <div
        className="cs-json-scroll"
        ref={scroller}
        style={isUnscrolled ? undefined : { maxHeight }}
        data-partly-hidden={isPartlyHidden ? '' : undefined}
        onScroll={({ currentTarget }) => setHasReachedEnd((reached) => reached || isAtEnd(currentTarget))}
      >
        <div
          role="tree"
          aria-label={label}
          className="cs-json-tree"
          style={{ height: lines.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {lines.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <JsonLine
                  key={row.path}
                  row={row}
                  index={index}
                  start={start}
                  measure={lines.measureElement}
                  current={index === currentIndex}
                  full={expandedStrings.has(row.path)}
                  mark={marked?.get(row.path)}
                  onFocus={() => setCurrent(index)}
                  onOpen={() => open(row)}
                />
              )
            );
          })}
        </div>
      </div>
    </Box>
  );
}

/** Returns whether a line hides content: folded members, further members, or the end of a string. */
function hidesContent(row: JsonRow, expandedStrings: ReadonlySet<string>): boolean {
  if (row.hiddenCount !== undefined || ((row.size ?? 0) > 0 && row.expanded !== true)) return true;
  return typeof row.value === 'string' && isStringCut(row.value, expandedStrings.has(row.path));
}

function toggle(paths: ReadonlySet<string>, path: string, isExpanded: boolean): ReadonlySet<string> {
  const next = new Set(paths);
  if (isExpanded) next.add(path);
  else next.delete(path);
  return next;
}

function findParentIndex(rows: readonly JsonRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let i = at - 1; i >= 0; i -= 1) if ((rows[i]?.level ?? 1) < level) return i;
  return at;
}

/** Returns a string unchanged, and any other value as JSON. */
function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
