import { Fragment, useMemo } from 'react';
import { escapeInvisible } from '../escape-invisible.js';
import { ColoredTexts } from './colored-texts.js';
import type { SourceText, TextLine } from './color-texts.js';
import { findLanguage } from './find-language.js';
import { splitByTokens } from './split-by-tokens.js';
import { useLineColors } from './use-line-colors.js';

/** Texts with more characters or lines have no colours. */
const MAX_CHARACTERS = 200_000;
const MAX_LINES = 3_000;

const NO_TEXTS: readonly SourceText[] = [];

interface CodeTextProps {
  readonly text: string;
  /** Path of the file, whose extension determines the colours. */
  readonly path: string;
}

/** The text of a file, for a `<pre>`: in colours if its language is known and it is not too long. */
export function CodeText({ text, path }: CodeTextProps) {
  const language = findLanguage(path);
  const lines = useMemo(() => (language === undefined ? [] : splitIntoLines(text)), [text, language]);
  const texts = useMemo(() => (lines.length === 0 ? NO_TEXTS : [{ lines, isFromStart: true }]), [lines]);
  const colors = useLineColors(texts, lines.length === 0 ? undefined : language);
  if (colors.size === 0) return escapeInvisible(text);
  return lines.map((line, index) => (
    <Fragment key={index}>
      <ColoredTexts texts={splitByTokens([line.key.text], colors.get(line.key) ?? [])[0] ?? []} />
    </Fragment>
  ));
}

/** A line, whose key is the line with its end. */
interface CodeLine extends TextLine {
  readonly key: { readonly text: string };
}

/** Splits a text after its line ends; returns no lines if it is too long. */
function splitIntoLines(text: string): readonly CodeLine[] {
  if (text.length > MAX_CHARACTERS) return [];
  const lines = text.split(/(?<=\n)/);
  return lines.length > MAX_LINES
    ? []
    : lines.map((line) => ({ key: { text: line }, text: line.replace(/\r?\n$/, '') }));
}
