import { Fragment, useRef, useEffect } from 'react';
import { offsetOfLine } from './policy-faults.js';

interface CodeProps {
  readonly label: string;
  readonly text: string;
}

/**
 * Line numbers beside a text, hidden from screen readers. One element from issue to issue, because one per line is too
 * many for a long file.
 */
function LineNumbers({ count, faults = [] }: { readonly count: number; readonly faults?: readonly number[] }) {
  const wrong = [...new Set(faults)].filter((line) => line >= 1 && line <= count).sort((a, b) => a - b);
  const parts = [0, ...wrong].map((line, index) => ({ from: line + 1, to: wrong[index] ?? count + 1 }));
  return (
    <div className="cs-code-lines" aria-hidden>
      {parts.map(({ from, to }, index) => (
        <Fragment key={from}>
          {index > 0 && <span className="cs-code-fault">{`✕ ${from - 1}\n`}</span>}
          {Array.from({ length: to - from }, (_, line) => `${from + line}\n`).join('')}
        </Fragment>
      ))}
    </div>
  );
}

/** Shows a read-only text with line numbers. */
export function CodeView({ label, text }: CodeProps) {
  return (
    <div className="cs-code" role="region" aria-label={label} tabIndex={0}>
      <LineNumbers count={text.split('\n').length} />
      <pre className="cs-code-text">{text}</pre>
    </div>
  );
}

interface CodeEditorProps extends CodeProps {
  readonly description: string;
  /** Lines with an issue, from 1. */
  readonly faults: readonly number[];
  /** Line to scroll to; each new object scrolls again. */
  readonly goTo: { readonly line: number } | undefined;
  onChange(text: string): void;
}

/** Edits a text with line numbers in a plain field, so that every key works as elsewhere and Tab leaves the field. */
export function CodeEditor({ label, text, description, faults, goTo, onChange }: CodeEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (goTo === undefined || field.current === null) return;
    const start = offsetOfLine(field.current.value, goTo.line);
    field.current.focus();
    field.current.setSelectionRange(start, offsetOfLine(field.current.value, goTo.line + 1));
    field.current.parentElement?.scrollTo({ top: (goTo.line - 4) * 18 });
  }, [goTo]);
  const lines = text.split('\n').length;
  return (
    <div className="cs-code">
      <LineNumbers count={lines} faults={faults} />
      <textarea
        ref={field}
        className="cs-code-text"
        aria-label={label}
        aria-description={description}
        aria-invalid={faults.length > 0}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        rows={lines + 1}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
