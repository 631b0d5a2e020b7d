import type { StreamParser } from '@codemirror/streamparser';

interface YamlState {
  /** Indentation of the line whose value is the following block of text. */
  blockIndentation: number | undefined;
}

/** Each expression takes at most time in proportion to the line; those of the parser in CodeMirror take far more. */
const TOKENS: readonly (readonly [pattern: RegExp, style: string | null])[] = [
  [/^(?:"(?:[^"\\]|\\.)*"|'[^']*')(?=\s*:(?:\s|$))/, 'property'],
  [/^(?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/, 'string'],
  [/^(?:---|\.\.\.|-)(?=\s|$)/, null],
  [/^[^\s:#,[\]{}&*!|>'"%@`][^:#]*(?=:(?:\s|$))/, 'property'],
  [/^[&*!][^\s,[\]{}]*/, 'type'],
  [/^(?:true|false|null|yes|no|on|off|~|[-+]?\d[\d._:eE+-]*)(?=\s*(?:[,\]}]|$|\s#))/i, 'atom'],
  [/^[^\s,[\]{}]+/, null],
];

export const yaml: StreamParser<YamlState> = {
  name: 'yaml',
  startState: () => ({ blockIndentation: undefined }),
  token(stream, state) {
    if (stream.sol() && state.blockIndentation !== undefined) {
      if (stream.indentation() > state.blockIndentation) {
        stream.skipToEnd();
        return 'string';
      }
      state.blockIndentation = undefined;
    }
    const isAtWordStart = stream.sol() || /\s/.test(stream.string.charAt(stream.pos - 1));
    if (stream.eatSpace()) return null;
    if (isAtWordStart && stream.peek() === '#') {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^[|>][-+\d]*(?=\s*$|\s#)/) !== null) {
      state.blockIndentation = stream.indentation();
      return 'type';
    }
    for (const [pattern, style] of TOKENS) if (stream.match(pattern) !== null) return style;
    stream.next();
    return null;
  },
};
