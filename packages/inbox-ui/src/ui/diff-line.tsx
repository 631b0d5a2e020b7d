import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useContext, useMemo } from 'react';
import { texts } from '../texts/index.js';
import {
  getLineText,
  type DiffFold,
  type DiffLine,
  type DiffRow,
  type DiffSide,
  type MergedLine,
} from './diff-rows.js';
import { escapeInvisible } from './escape-invisible.js';
import { LineNotesContext } from './line-notes.js';
import type { LineColors } from './syntax/color-texts.js';
import { ColoredTexts } from './syntax/colored-texts.js';
import { splitByTokens } from './syntax/split-by-tokens.js';

const t = texts.ui.diff;

/** Number of lines that a button adds to the context of a change. */
const UNFOLDED_LINES = 20;

/** What all lines of a file have in common. */
export interface LineContext {
  readonly view: 'split' | 'unified';
  /** Path of the file, if the lines are of a file. */
  readonly path: string | undefined;
  readonly colors: LineColors;
  onUnfold(fold: DiffFold, at: 'start' | 'end', count: number): void;
}

interface InContext {
  readonly context: LineContext;
}

/** A line of a difference in the chosen view. */
export function Line({ line, context }: InContext & { readonly line: DiffLine }) {
  if ('row' in line) return <Row row={line.row} index={line.index} context={context} />;
  if ('merged' in line) return <Merged line={line.merged} context={context} />;
  if ('note' in line) return <div className="cs-diff-note">{escapeInvisible(line.note.replace(/\r$/, ''))}</div>;
  if ('omitted' in line)
    return (
      <div className="cs-diff-omitted">{line.isAtStart ? t.omittedAtStart(line.omitted) : t.omitted(line.omitted)}</div>
    );
  return <Fold fold={line.fold} context={context} />;
}

function Fold({ fold, context: { onUnfold } }: InContext & { readonly fold: DiffFold }) {
  const count = fold.to - fold.from;
  const canUnfoldPart = count > UNFOLDED_LINES;
  return (
    <div className="cs-diff-fold" data-partly-hidden="" data-folded="">
      {canUnfoldPart && fold.hasBefore && (
        <UnstyledButton
          className="cs-diff-unfold"
          aria-label={t.moreAboveLabel(UNFOLDED_LINES)}
          onClick={() => onUnfold(fold, 'start', UNFOLDED_LINES)}
        >
          {t.moreAbove(UNFOLDED_LINES)}
        </UnstyledButton>
      )}
      <UnstyledButton className="cs-diff-unfold" onClick={() => onUnfold(fold, 'start', count)}>
        {t.unchanged(count)}
      </UnstyledButton>
      {canUnfoldPart && fold.hasAfter && (
        <UnstyledButton
          className="cs-diff-unfold"
          aria-label={t.moreBelowLabel(UNFOLDED_LINES)}
          onClick={() => onUnfold(fold, 'end', UNFOLDED_LINES)}
        >
          {t.moreBelow(UNFOLDED_LINES)}
        </UnstyledButton>
      )}
    </div>
  );
}

interface RowProps extends InContext {
  readonly row: DiffRow;
  readonly index: number | undefined;
}

function Row({ row: { before, after, same }, index, context }: RowProps) {
  if (same && context.view === 'unified')
    return (
      <>
        <div data-row={index}>
          <Side side={after} name="after" other={before?.line} kind="same" context={context} />
        </div>
        <Notes side={before} name="before" context={context} />
        <Notes side={after} name="after" context={context} />
      </>
    );
  if (context.view === 'split') {
    return (
      <>
        <div className="cs-diff-pair" data-row={index}>
          {before === undefined ? (
            <div className="cs-diff-none" />
          ) : (
            <Side side={before} name="before" kind={same ? 'same' : 'removed'} context={context} />
          )}
          {after === undefined ? (
            <div className="cs-diff-none" />
          ) : (
            <Side side={after} name="after" kind={same ? 'same' : 'added'} context={context} />
          )}
        </div>
        <Notes side={before} name="before" context={context} />
        <Notes side={after} name="after" context={context} />
      </>
    );
  }
  return (
    <>
      {before !== undefined && <Side side={before} name="before" kind="removed" context={context} />}
      <Notes side={before} name="before" context={context} />
      {after !== undefined && <Side side={after} name="after" kind="added" context={context} />}
      <Notes side={after} name="after" context={context} />
    </>
  );
}

/** Notes about a line, below it. */
function Notes({ side, name, context: { path } }: InContext & Pick<SideProps, 'side' | 'name'>) {
  const notes = useContext(LineNotesContext);
  if (notes === undefined || side === undefined) return null;
  return notes.renderBelow({ file: path, side: name, number: side.line }, getLineText(side));
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

/** A line of a merged file, which has one column: a side would be needed for each parent. */
function Merged({ line, context }: InContext & { readonly line: MergedLine }) {
  const { kind, signs, text, line: number } = line;
  const [coloredTexts = []] = splitByTokens([text.replace(/\r$/, '')], context.colors.get(line) ?? []);
  return (
    <div className={`cs-diff-side cs-diff-${kind}`}>
      <span className="cs-diff-number" aria-hidden>
        {number}
      </span>
      <span className="cs-diff-sign cs-diff-signs" aria-hidden>
        {signs.replaceAll('-', '−')}
      </span>
      <span className="cs-diff-text">
        {kind !== 'same' && <VisuallyHidden>{t.mergedLine(number, t[kind])}</VisuallyHidden>}
        <ColoredTexts texts={coloredTexts} />
      </span>
    </div>
  );
}

interface SideProps extends InContext {
  readonly side: DiffSide | undefined;
  /** The side, in either view; an unchanged line of the unified view is on the side `after`. */
  readonly name: 'before' | 'after';
  readonly kind: keyof typeof SIGNS;
  /** Number of an unchanged line on the other side, in the unified view. */
  readonly other?: number | undefined;
}

function Side({ side, name, kind, other: otherLine, context: { colors, path } }: SideProps) {
  const onWrite = useContext(LineNotesContext)?.onWrite;
  const tokens = side && colors.get(side);
  const coloredParts = useMemo(() => {
    // A Windows line ending is shown only if it is the difference.
    const parts = side?.parts.map(({ text }) => (kind === 'same' ? text.replace(/\r$/, '') : text)) ?? [];
    return splitByTokens(parts, tokens ?? []);
  }, [side, kind, tokens]);
  if (side === undefined) return null;
  return (
    <div className={`cs-diff-side cs-diff-${kind}`} data-side={name} data-line={side.line}>
      <span className="cs-diff-number" aria-hidden>
        {onWrite !== undefined && (
          // Without a name and a tab stop: a control above the lines does the same.
          <UnstyledButton
            className="cs-diff-write"
            tabIndex={-1}
            title={t.writeNote(side.line)}
            onClick={() => onWrite({ file: path, side: name, number: side.line }, getLineText(side))}
          />
        )}
        {otherLine === undefined || otherLine === side.line ? side.line : `${otherLine}/${side.line}`}
      </span>
      <span className="cs-diff-sign" aria-hidden>
        {SIGNS[kind]}
      </span>
      <span className="cs-diff-text">
        {kind !== 'same' && <VisuallyHidden>{`${t.line} ${side.line} ${t[kind]}: `}</VisuallyHidden>}
        {coloredParts.map((coloredTexts, index) => {
          const content = <ColoredTexts key={index} texts={coloredTexts} />;
          if (side.parts[index]?.changed !== true) return content;
          return kind === 'removed' ? <del key={index}>{content}</del> : <ins key={index}>{content}</ins>;
        })}
      </span>
    </div>
  );
}
