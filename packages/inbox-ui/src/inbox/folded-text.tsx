import { Button } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { findFold } from './find-fold.js';

/** Untrusted text. Long text is folded, with its length, and opens in place. */
export function FoldedText({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const fold = isOpen ? undefined : findFold(text);
  return (
    <>
      <pre className="cs-whole-text" dir="auto">
        {escapeInvisible(fold === undefined ? text : text.slice(0, fold))}
      </pre>
      {fold !== undefined && (
        <Button size="compact-sm" variant="default" mt={6} data-partly-hidden="" onClick={() => setOpen(true)}>
          {texts.approvals.wholeText(text.length)}
        </Button>
      )}
    </>
  );
}
