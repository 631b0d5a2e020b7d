import { Stack, Text } from '@mantine/core';
import type { JsonValue } from '@countersign/contract';
import { useMemo } from 'react';
import { texts } from '../texts/index.js';
import { JsonView } from '../ui/json-view.js';
import { parseAnsi } from '../ui/parse-ansi.js';
import { isPatch, parsePatch } from '../ui/parse-patch.js';
import { PatchView } from '../ui/patch-view.js';
import { PlainOrFormatted } from '../ui/plain-or-formatted.js';
import { ChangeValue, isInlineChange } from './change-value.js';
import { DataTable } from './data-table.js';
import { EmbeddedImageView } from './embedded-image-view.js';
import { findTable } from './find-table.js';
import { FoldedAnsiText, FoldedText } from './folded-text.js';
import { readImageUrl } from './read-image-url.js';
import { splitChange } from './split-change.js';

interface SubjectValueProps {
  readonly value: JsonValue;
  /** Label for screen readers. */
  readonly label: string;
}

/**
 * A value in its most readable form: text as such, the output of programs with its colours, images, patches and changes
 * as differences, lists of flat objects as tables, and everything else as a tree. Nothing is cut; long values are folded,
 * with their length.
 */
export function SubjectValue({ value, label }: SubjectValueProps) {
  if (typeof value === 'string') return <TextValue text={value} label={label} />;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return (
      <Text component="span" size="sm" ff="monospace">
        {JSON.stringify(value)}
      </Text>
    );
  }
  const change = splitChange(value);
  if (change !== undefined) {
    return (
      <Stack gap="xs">
        <ChangeValue before={change.before} after={change.after} label={label} />
        {Object.keys(change.rest).length > 0 && <JsonView value={change.rest} label={label} isWhole />}
      </Stack>
    );
  }
  const table = findTable(value);
  return table?.rows.every(isFlat) === true ? (
    <DataTable label={label} table={table} />
  ) : (
    <JsonView value={value} label={label} isWhole />
  );
}

function TextValue({ text, label }: { readonly text: string; readonly label: string }) {
  const files = useMemo(() => (isPatch(text) ? parsePatch(text) : undefined), [text]);
  const spans = useMemo(() => parseAnsi(text), [text]);
  const image = useMemo(() => readImageUrl(text), [text]);
  if (files !== undefined) return <PatchView files={files} label={label} />;
  if (image !== undefined) return <EmbeddedImageView image={image} text={text} label={label} />;
  if (spans !== undefined)
    return (
      <PlainOrFormatted
        plain={<FoldedText text={text} />}
        formatted={() => <FoldedAnsiText spans={spans} />}
        isFormattedFirst
      />
    );
  return text.trim() === '' ? <em>{texts.approvals.emptyText}</em> : <FoldedText text={text} />;
}

/** Returns whether a value needs the whole width, below its name. */
export function needsWidth(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('\n') || value.length > 300 || readImageUrl(value) !== undefined;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return false;
  const change = splitChange(value);
  return change === undefined || Object.keys(change.rest).length > 0 || !isInlineChange(change.before, change.after);
}

function isFlat(row: object): boolean {
  return Object.values(row).every((cell) => typeof cell !== 'object' || cell === null);
}
