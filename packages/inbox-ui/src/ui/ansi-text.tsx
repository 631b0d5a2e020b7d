import { useMemo, type CSSProperties } from 'react';
import './ansi-text.css';
import { escapeInvisibleParts } from './escape-invisible.js';
import { PLAIN_STYLE, type AnsiSpan, type AnsiStyle, type Rgb } from './parse-ansi.js';
import { getReadableColors } from './readable-colors.js';

/** The output of a program with its colours. Omits nothing but the sequences of the styles. */
export function AnsiText({ spans }: { readonly spans: readonly AnsiSpan[] }) {
  const texts = useMemo(() => escapeInvisibleParts(spans.map(({ text }) => text)), [spans]);
  return (
    <pre className="cs-ansi" dir="auto">
      {spans.map(({ style }, index) =>
        style === PLAIN_STYLE ? (
          texts[index]
        ) : (
          <span key={index} style={toCss(style)}>
            {texts[index]}
          </span>
        ),
      )}
    </pre>
  );
}

function toCss(style: AnsiStyle): CSSProperties {
  const hasColors = style.foreground !== undefined || style.background !== undefined || style.inverse || style.dim;
  const [light, dark] = [getReadableColors(style, 'light'), getReadableColors(style, 'dark')];
  const lines = [style.underline ? 'underline' : '', style.strikethrough ? 'line-through' : ''].join(' ').trim();
  const variables: Record<`--${string}`, string> = hasColors
    ? {
        '--cs-ansi-light-text': formatColor(light.text),
        '--cs-ansi-light-back': formatColor(light.back),
        '--cs-ansi-dark-text': formatColor(dark.text),
        '--cs-ansi-dark-back': formatColor(dark.back),
      }
    : {};
  return {
    ...variables,
    ...(style.bold ? { fontWeight: 700 } : {}),
    ...(style.italic ? { fontStyle: 'italic' } : {}),
    ...(lines === '' ? {} : { textDecoration: lines }),
  };
}

function formatColor(color: Rgb): string {
  return `rgb(${color.join(' ')})`;
}
