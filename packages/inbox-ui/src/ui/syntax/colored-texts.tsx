import { Fragment } from 'react';
import { escapeInvisibleParts } from '../escape-invisible.js';
import type { ColoredText } from './split-by-tokens.js';
import './syntax.css';

/** Texts in their colours. */
export function ColoredTexts({ texts }: { readonly texts: readonly ColoredText[] }) {
  return escapeInvisibleParts(texts.map(({ text }) => text)).map((text, index) => {
    const kind = texts[index]?.kind;
    return kind === undefined ? (
      <Fragment key={index}>{text}</Fragment>
    ) : (
      <span key={index} className={`cs-code-${kind}`}>
        {text}
      </span>
    );
  });
}
