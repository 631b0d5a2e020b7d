import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { texts } from '../texts/index.js';
import { AnsiText } from '../ui/ansi-text.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { findFold } from '../ui/find-fold.js';
import { cutAnsi, type AnsiSpan } from '../ui/parse-ansi.js';

/** Untrusted text. Long text is folded, with its length, and opens in place. */
export function FoldedText({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const fold = isOpen ? undefined : findFold(text);
  return (
    <>
      <pre className="cs-whole-text" dir="auto">
        {escapeInvisible(fold === undefined ? text : text.slice(0, fold))}
      </pre>
      {fold !== undefined && <UnfoldButton length={text.length} onClick={() => setOpen(true)} />}
    </>
  );
}

/** The output of a program with its colours, folded like other texts. */
export function FoldedAnsiText({ spans }: { readonly spans: readonly AnsiSpan[] }) {
  const [isOpen, setOpen] = useState(false);
  const text = useMemo(() => spans.map((span) => span.text).join(''), [spans]);
  const fold = isOpen ? undefined : findFold(text);
  const shownSpans = useMemo(() => (fold === undefined ? spans : cutAnsi(spans, fold)), [spans, fold]);
  return (
    <>
      <AnsiText spans={shownSpans} />
      {fold !== undefined && <UnfoldButton length={text.length} onClick={() => setOpen(true)} />}
    </>
  );
}

function UnfoldButton({ length, onClick }: { readonly length: number; onClick(): void }) {
  return (
    <Button size="compact-sm" variant="default" mt={6} data-partly-hidden="" onClick={onClick}>
      {texts.approvals.wholeText(length)}
    </Button>
  );
}
